npx holdpoint audit verify --database file:.holdpoint/holdpoint.db --seals seals.jsonl --public-key audit.pem.pub
