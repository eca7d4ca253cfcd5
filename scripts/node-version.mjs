// Imported first by every script, so it must parse and run on Node 20, the oldest Node that
// `npm install` may be run with. Older ones than `needed` carry an SQLite that corrupts data.
import process from "node:process";

const needed = "22.22.3 or later of 22, 24.15.0 or later of 24, or 26 and later";

/**
 * Whether a Node version, as in `process.version`, satisfies `^22.22.3 || ^24.15.0 || >=26`.
 * @param {string} version
 */
export function isSupported(version) {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

if (!isSupported(process.version)) {
  console.error(
    `Holdpoint found Node ${process.version} but needs ${needed}: run npm install, which brings a fitting Node, and then use the npm commands (npm start, npm test).`,
  );
  process.exit(1);
}
