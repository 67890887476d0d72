#!/bin/sh
# Install the site on a Debian machine, as root, from its checkout in /srv/spellcaster:
#
#     deploy/systemd/install.sh duels.example operator@duels.example smtp+tls://user:password@mail.example:587
#
# You can run it again. It does not overwrite an existing environment in /etc/spellcaster.env.
set -eu
cd /srv/spellcaster
apt-get update
apt-get install --yes python3-venv postgresql redis-server caddy
id spellcaster >/dev/null 2>&1 || useradd --system --home-dir /var/lib/spellcaster spellcaster
if [ ! -e /etc/spellcaster.env ]; then
    (umask 077 && deploy/new_env.sh "$@" >/etc/spellcaster.env.new)
    mv /etc/spellcaster.env.new /etc/spellcaster.env
fi
if ! grep -q '^VAR_DIR=' /etc/spellcaster.env; then
    cat >>/etc/spellcaster.env <<'END'

# The folders of this installation.
VAR_DIR='/var/lib/spellcaster'
STATIC_ROOT='/var/lib/spellcaster/static'
END
fi
if ! runuser -u postgres -- psql -lqt | grep -qw spellcaster; then
    runuser -u postgres -- createuser spellcaster # uses the local socket, without a password
    runuser -u postgres -- createdb --owner spellcaster spellcaster
    runuser -u postgres -- psql -qc "ALTER SYSTEM SET max_connections = 200"
    systemctl restart postgresql
fi
[ -x .venv/bin/pip ] || python3 -m venv .venv
.venv/bin/pip install --quiet --requirement requirements.txt
.venv/bin/python -m compileall -q duels engine spellcaster

cp deploy/systemd/*.service deploy/systemd/*.target /etc/systemd/system/
. /etc/spellcaster.env
sed "s|{\$SITE_URL}|$SITE_URL|" deploy/Caddyfile >/etc/caddy/Caddyfile
systemctl daemon-reload
systemctl enable --now spellcaster.target
systemctl reload caddy
