npx holdpoint restore monday.db
