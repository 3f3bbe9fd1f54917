"""Page helpers: the frame around every page, and the parts that pages are put together from."""
