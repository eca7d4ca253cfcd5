import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sendEmailTool } from "./send-email.ts";

const started: string[] = [];
const startEffect = async (tool: string) => {
  started.push(tool);
};

test("without a mail server a mail becomes an RFC 5322 file in the outbox", async () => {
  const outbox = join(await mkdtemp(join(tmpdir(), "quickstart-mail-")), "outbox");
  const tool = sendEmailTool({ outbox, env: {}, startEffect });
  const said = await tool.invoke({
    to: ["anna@example.com", "bob@example.com"],
    cc: ["cleo@example.com"],
    subject: "三季度报表\r\nBcc: eve@example.com",
    body: "第一行\nsecond line",
  });
  const [file = ""] = await readdir(outbox);
  expect(said).toBe(
    `Wrote the mail to anna@example.com, bob@example.com, cleo@example.com to the outbox as \`${file}\`.`,
  );
  expect(file).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}\.eml$/);

  const mail = await readFile(join(outbox, file), "utf8");
  const [head = "", body = ""] = mail.split("\r\n\r\n");
  expect(mail.replaceAll("\r\n", "")).not.toContain("\n");
  expect(head).toMatch(/^From: Holdpoint quickstart <assistant@holdpoint\.example>$/m);
  expect(head).toMatch(/^To: anna@example\.com, bob@example\.com$/m);
  expect(head).toMatch(/^Cc: cleo@example\.com$/m);
  expect(head).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(head).toMatch(/^Message-ID: <.+>$/m);
  expect(head).toMatch(/^Date: .+$/m);
  expect(head).not.toMatch(/^Bcc:/m);
  expect(head).toMatch(/^Content-Transfer-Encoding: quoted-printable$/m);
  expect(unquoted(body)).toBe("第一行\nsecond line");
  expect(started).toEqual(["send_email"]);
});

function unquoted(printable: string): string {
  const bytes = printable
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString().replaceAll("\r\n", "\n").trim();
}

test("an address that is none is refused before anything is sent", async () => {
  const tool = sendEmailTool({ outbox: join(tmpdir(), "never"), env: {}, startEffect });
  const mail = { to: ["not an address"], subject: "s", body: "b" };
  await expect(tool.invoke(mail)).rejects.toThrow("schema");
});

test("a mail server gets the mail, and one that is down fails in words", async () => {
  const received: string[] = [];
  const server = createServer((socket) => {
    let inData = false;
    socket.write("220 test ESMTP\r\n");
    socket.on("data", (chunk) => {
      for (const line of chunk.toString().split("\r\n").slice(0, -1)) {
        received.push(line);
        if (inData) {
          if (line === ".") inData = false;
          else continue;
        }
        if (line === "DATA") inData = true;
        socket.write(
          line === "DATA" ? "354 go\r\n" : line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n",
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = address && typeof address === "object" ? address.port : 0;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, SMTP_FROM: "me@example.com" };
  const tool = sendEmailTool({ outbox: join(tmpdir(), "never"), env, startEffect });
  const mail = { to: ["anna@example.com"], subject: "Hello", body: "Hi Anna" };

  expect(await tool.invoke(mail)).toBe("Sent the mail to anna@example.com.");
  expect(received).toContain("RCPT TO:<anna@example.com>");
  expect(received).toContain("From: me@example.com");
  expect(received).toContain("Hi Anna");

  await new Promise((resolve) => server.close(resolve));
  await expect(tool.invoke(mail)).rejects.toThrow(/^the mail server did not accept the mail/);
});
