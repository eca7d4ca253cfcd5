npx holdpoint audit keygen --out audit.pem
