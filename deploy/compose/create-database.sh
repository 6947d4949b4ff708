#!/bin/sh
# PostgreSQL's image runs this once, on an empty volume: it creates Paylink's user, which is no superuser, its database and
# its roles.
set -eu
psql --set ON_ERROR_STOP=1 --set "password=$PAYLINK_DATABASE_PASSWORD" --username "$POSTGRES_USER" --dbname postgres <<'SQL'
create role paylink login password :'password';
create database paylink owner paylink;
create role paylink_tenant nologin role paylink;
create role paylink_system nologin role paylink;
SQL
