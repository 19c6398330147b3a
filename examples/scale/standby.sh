#!/bin/sh
# Makes a standby of the server PRIMARY (a host or the folder of a socket, and PORT) in the folder DATA.
set -eu
pg_basebackup -D "$DATA" -d "host=$PRIMARY port=${PORT:-5432} user=${ROLE:-replicator} application_name=standby" \
    -R -X stream -c fast
# It confirms under this name.
echo "cluster_name = 'standby'" >> "$DATA/postgresql.conf"
# A promotion may wait for the end of a retry, whose usual interval is 5 s.
echo "wal_retrieve_retry_interval = '200ms'" >> "$DATA/postgresql.conf"
