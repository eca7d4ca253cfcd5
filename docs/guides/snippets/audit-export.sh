npx holdpoint audit export --database file:.holdpoint/holdpoint.db --redact policy.json --output audit.jsonl
npx holdpoint audit verify --export audit.jsonl --seals seals.jsonl --public-key audit.pem.pub
