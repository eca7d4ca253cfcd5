// Plays seeds until ours and MemorySaver differ; says which seed did and how. For the seeded faults, and by hand:
// node --conditions=@holdpoint/source until-different.ts <first seed> <last seed>
import { compareSeed } from "./compare.ts";
import { openDatabases } from "./grounds.ts";

const [first = 0, last = first] = process.argv.slice(2).map(Number);
const databases = openDatabases(undefined);
for (let seed = first; seed <= last; seed += 1) {
  const difference = await compareSeed(seed, databases);
  if (difference === undefined) continue;
  console.log(`different at seed ${seed}\n${difference}`);
  break;
}
await databases.close();
