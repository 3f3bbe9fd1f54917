"""What puts the dashboard on a server, and the test that it survives losing one."""
