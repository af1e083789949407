#!/bin/sh
# KEY=... SECRET=... PASSPHRASE=... sh signed-request.sh http://127.0.0.1:8545 '/api/v5/chain/...?chainShortName=DEV' [json body]
method=${3:+POST} time=$(date -u +%Y-%m-%dT%H:%M:%S.%3NZ)
sign=$(printf %s "$time${method:-GET}$2${3-}" | openssl dgst -sha256 -hmac "$SECRET" -binary | openssl base64)
curl -sg "$1$2" -H "SVC-ACCESS-KEY: $KEY" -H "SVC-ACCESS-SIGN: $sign" -H "SVC-ACCESS-TIMESTAMP: $time" \
  -H "SVC-ACCESS-PASSPHRASE: $PASSPHRASE" ${3:+-H "Content-Type: application/json" --data-raw "$3"}
