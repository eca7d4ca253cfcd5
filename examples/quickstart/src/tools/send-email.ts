import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tool } from "langchain";
import { z } from "zod";
import type { StartEffect } from "./effect-start.ts";

const schema = z.object({
  to: z.array(z.email()).min(1).describe("Addresses of the recipients. / 收件人的邮箱地址。"),
  subject: z.string().describe("The subject line. / 邮件主题。"),
  body: z.string().describe("The text of the mail, without formatting. / 邮件正文，纯文本。"),
  cc: z
    .array(z.email())
    .optional()
    .describe("Addresses that get a copy, visible to everyone. / 抄送地址，所有收件人都能看到。"),
});

type Mail = z.infer<typeof schema> & { readonly from: string };

/**
 * The `send_email` tool: over SMTP when `SMTP_URL` is set, otherwise as a real RFC 5322 `.eml`
 * file in the outbox folder, which any mail program opens. `SMTP_FROM` sets the sender.
 */
export function sendEmailTool(options: {
  readonly outbox: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly startEffect: StartEffect;
}) {
  const { outbox, env, startEffect } = options;
  const smtpUrl = env["SMTP_URL"];

  return tool(
    async (args) => {
      await startEffect("send_email", args);
      const from = env["SMTP_FROM"] ?? "Holdpoint quickstart <assistant@holdpoint.example>";
      const recipients = [...args.to, ...(args.cc ?? [])].join(", ");
      if (!smtpUrl) {
        const file = await fileMail({ ...args, from }, outbox);
        return `Wrote the mail to ${recipients} to the outbox as \`${file}\`.`;
      }
      try {
        await postMail({ ...args, from }, smtpUrl);
        return `Sent the mail to ${recipients}.`;
      } catch (cause) {
        const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
        throw new Error(`the mail server did not accept the mail to ${recipients} (${code}).`, {
          cause,
        });
      }
    },
    {
      name: "send_email",
      description: "Sends an e-mail to one or more people.",
      schema,
    },
  );
}

async function fileMail(mail: Mail, outbox: string): Promise<string> {
  // Loaded here and in postMail only: a server that waits for a decision should not hold it in memory.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  const { messageId, message } = await transport.sendMail({ ...mail, text: mail.body });
  if (!Buffer.isBuffer(message)) throw new TypeError(`Mail ${messageId} was not composed.`);
  const day = new Date().toISOString().slice(0, 10);
  const file = `${day}-${randomUUID().slice(0, 8)}.eml`;
  await mkdir(outbox, { recursive: true });
  await writeFile(join(outbox, file), message, { flag: "wx" });
  return file;
}

async function postMail(mail: Mail, smtpUrl: string): Promise<void> {
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(smtpUrl);
  try {
    await transport.sendMail({ ...mail, text: mail.body });
  } finally {
    transport.close();
  }
}
