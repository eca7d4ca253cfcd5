npx holdpoint backup monday.db
