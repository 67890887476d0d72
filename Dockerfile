# The site's image, for web processes, workers, beat, the mail listener and commands (compose.yaml).

FROM python:3.11-slim AS build
WORKDIR /srv/spellcaster
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
COPY requirements.txt .
RUN pip install --no-cache-dir -r requirements.txt
COPY . .
# The keys only let the settings load; the image does not contain them.
RUN DEBUG=off ALLOWED_HOSTS=build SECRET_KEY=build SEAL_KEYS='' VAR_DIR=/tmp/var STATIC_ROOT=/srv/static \
    python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q duels engine spellcaster

FROM python:3.11-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --create-home --home-dir /var/lib/spellcaster spellcaster
COPY --from=build /opt/venv /opt/venv
COPY --from=build /srv /srv
WORKDIR /srv/spellcaster
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 STATIC_ROOT=/srv/static VAR_DIR=/var/lib/spellcaster
USER spellcaster
EXPOSE 8000
CMD ["gunicorn", "--bind=0.0.0.0:8000"]
