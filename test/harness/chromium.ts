import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import bundled, { inflate } from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * A headless Chromium: the one CHROMIUM_PATH names, else one that is installed, else the one that
 * the package @sparticuz/chromium brings. Throws one sentence that says why there is none.
 */
export async function launchBrowser(): Promise<Browser> {
  try {
    const installed = process.env["CHROMIUM_PATH"] ?? findInstalled();
    return await (installed === undefined ? launchBundled() : launch(installed));
  } catch (error) {
    const reason = error instanceof Error ? firstLines(error.message) : String(error);
    throw new Error(`Chromium could not start: ${reason}.`, { cause: error });
  }
}

function launch(executablePath: string, env: Readonly<Record<string, string>> = {}) {
  const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({
    executablePath,
    headless: true,
    args: [...flags, ...sandbox],
    env: { ...process.env, ...env },
  });
}

/**
 * Without the package's own flags: they switch off web security and run everything in one process,
 * which no reviewer's browser does.
 */
async function launchBundled(): Promise<Browser> {
  if (process.platform !== "linux") {
    throw new Error("none is installed; install Chrome or set CHROMIUM_PATH");
  }
  const executablePath = await bundled.executablePath();
  const hasFonts = existsSync("/etc/fonts/fonts.conf");
  const env = hasFonts ? {} : { FONTCONFIG_PATH: join(tmpdir(), "fonts") };
  try {
    return await launch(executablePath, env);
  } catch (error) {
    if (!String(error).includes("shared libraries")) throw error;
    // The package brings what a bare server lacks, but unpacks it only on Amazon's own.
    const packed = new URL("../bin/al2023.tar.br", import.meta.resolve("@sparticuz/chromium"));
    await inflate(fileURLToPath(packed));
    return launch(executablePath, { ...env, LD_LIBRARY_PATH: join(tmpdir(), "al2023/lib") });
  }
}

function findInstalled(): string | undefined {
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const programs = [process.env["PROGRAMFILES"], process.env["PROGRAMFILES(X86)"]];
  const usual = [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ...[...programs, process.env["LOCALAPPDATA"]].flatMap((folder) =>
      folder === undefined ? [] : [join(folder, "Google/Chrome/Application/chrome.exe")],
    ),
  ];
  return [...onPath, ...usual].find((path) => existsSync(path));
}

/** Playwright's messages go on with its whole command line and log. */
function firstLines(message: string): string {
  const missing = /error while loading shared libraries: .*/.exec(message)?.[0];
  return (missing ?? message.split("\n")[0] ?? message).trim().replace(/\.$/, "");
}
