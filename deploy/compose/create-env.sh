#!/bin/sh
# Prints the secrets and the address for compose.yaml: sh deploy/compose/create-env.sh pay.example.com > .env
# Must not: be run again for a database that exists, which keeps its first passwords and its master key.
set -eu
host=${1:-localhost}
printf 'PAYLINK_HOST=%s\n' "$host"
printf 'PAYLINK_MASTER_KEY=%s\n' "$(openssl rand -base64 32)"
printf 'PAYLINK_DATABASE_PASSWORD=%s\n' "$(openssl rand -hex 24)"
printf 'POSTGRES_PASSWORD=%s\n' "$(openssl rand -hex 24)"
