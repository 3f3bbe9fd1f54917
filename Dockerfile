# The dashboard in a container: dependencies in one stage, the app in the next.
#   docker build --tag specdec-dashboard .
#   docker run --publish 8501:8501 --read-only --tmpfs /tmp --env-file deploy/production.env specdec-dashboard
FROM python:3.11-slim-bookworm AS dependencies
COPY requirements.lock /
RUN python -m venv /venv && \
    /venv/bin/pip install --no-cache-dir --require-hashes --requirement /requirements.lock

FROM python:3.11-slim-bookworm
RUN useradd --system --user-group --uid 10001 --no-create-home --shell /usr/sbin/nologin specdec
COPY --from=dependencies /venv /venv
WORKDIR /app
COPY .streamlit .streamlit
COPY pages pages
COPY specdec specdec
COPY streamlit_app.py ./
ENV PATH=/venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    STREAMLIT_SERVER_HEADLESS=true \
    STREAMLIT_SERVER_FILE_WATCHER_TYPE=none \
    STREAMLIT_SERVER_RUN_ON_SAVE=false \
    STREAMLIT_SERVER_ALLOW_RUN_ON_SAVE=false
USER 10001:10001
EXPOSE 8501
# The image has no curl; Python is there anyway.
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
CMD ["streamlit", "run", "streamlit_app.py", "--server.address=0.0.0.0", "--server.port=8501"]
