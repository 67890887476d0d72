#!/bin/sh
# Print a new environment for a site (.env.example), with new random keys.
#
#     deploy/new_env.sh duels.example operator@duels.example smtp+tls://user:password@mail.example:587
#
# Run it once. If you replace the keys of a running site, nobody can read its sealed orders.
set -eu
if [ $# != 3 ]; then
    sed -n 's/^# \{0,1\}//;2,5p' "$0" >&2
    exit 2
fi

literal() { printf %s "$1" | sed 's/[&|\\]/\\&/g'; } # escape a value for the replacements below
random() { head -c "$1" /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n'; }

sed -e "s|^SECRET_KEY=.*|SECRET_KEY='$(random 48)'|" \
    -e "s|^SEAL_KEYS=.*|SEAL_KEYS='$(random 32)'|" \
    -e "s|^ADMINS=.*|ADMINS='$(literal "$2")'|" \
    -e "s|^EMAIL_URL=.*|EMAIL_URL='$(literal "$3")'|" \
    -e "s|^DATABASE_URL=.*|DATABASE_URL='postgres:///spellcaster'|" \
    -e "s|duels\.example|$(literal "$1")|" \
    "$(dirname "$0")/../.env.example"
echo
echo "# The password of PostgreSQL, which only containers need (compose.yaml)."
echo "POSTGRES_PASSWORD='$(random 24)'"
