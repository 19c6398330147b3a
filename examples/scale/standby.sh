#!/bin/sh
# Makes a standby of the server PRIMARY (a host or the folder of a socket, and PORT) in the folder DATA.
set -eu
pg_basebackup -D "$DATA" -d "host=$PRIMARY port=${PORT:-5432} user=${ROLE:-replicator} application_name=standby" \
    -R -X stream -c fast
# It confirms under this name.
echo "cluster_name = 'standby'" >> "$DATA/postgresql.conf"
