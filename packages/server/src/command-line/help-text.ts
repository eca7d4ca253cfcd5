import type { Language } from "./language.ts";

/** What `--help` prints, for all commands and for each. */
export type HelpText = { readonly all: string; readonly start: string; readonly audit: string };

const start = "holdpoint start [--config holdpoint.config.ts] [--data .holdpoint] [--port 2024]";
const keygen = "holdpoint audit keygen [--out holdpoint-audit.pem]";
const verify =
  "holdpoint audit verify --database file:… | --export audit.jsonl [--seals seals.jsonl] [--public-key audit.pem.pub]";
const exported =
  "holdpoint audit export --database file:… [--redact policy.json] [--output audit.jsonl]";

const texts: Readonly<Record<Language, HelpText>> = {
  en: {
    all: `Usage: ${start}
       ${keygen}
       ${verify}
       ${exported}
"holdpoint start --help" and "holdpoint audit --help" say more.`,
    start: `Usage: ${start}

  --config  the agents and their options
  --data    the folder of the agents' files, and of the database unless one is named
  --port    the wanted port; the next free one is taken when it is not free

DATABASE_URL           a PostgreSQL database (postgres://…) for any number of servers, or a file (file:…)
DATABASE_DIRECT_URL    the same database past a pooler, to hear at once what other servers do
HOLDPOINT_AUDIT_KEY    a key file of "holdpoint audit keygen": the audit is sealed once a minute
HOLDPOINT_AUDIT_SEALS  where the seals are appended; audit-seals.jsonl in the data folder otherwise`,
    audit: `Usage: ${keygen}
       ${verify}
       ${exported}

keygen  writes a new Ed25519 key (mode 0600), and its public half beside it (.pub)
verify  checks links, seals, the seals file and the key; names the first thing that is wrong; changes
        nothing, needs no server, and may run beside one. Exit code 0: it holds; 1: it does not
export  writes events and seals as JSON Lines for "verify --export", without secrets

  --seals       the seals file, or a copy of it that was kept elsewhere
  --public-key  who may have sealed; can be given more than once
  --redact      more to leave out: { "paths": ["actions.*.tool"], "keys": ["iban"] }`,
  },
  "zh-CN": {
    all: `用法：${start}
      ${keygen}
      ${verify}
      ${exported}
详细说明见 "holdpoint start --help" 和 "holdpoint audit --help"。`,
    start: `用法：${start}

  --config  智能体及其选项
  --data    智能体文件所在的文件夹；没有另外指定数据库时，数据库也在这里
  --port    想用的端口；被占用时自动换下一个空闲端口

DATABASE_URL           PostgreSQL 数据库（postgres://…，可供任意多个服务器共用），或一个文件（file:…）
DATABASE_DIRECT_URL    绕过连接池直达同一数据库的地址，用来立即得知其他服务器做了什么
HOLDPOINT_AUDIT_KEY    由 "holdpoint audit keygen" 生成的密钥文件；设置后每分钟封存一次审计记录
HOLDPOINT_AUDIT_SEALS  封条追加到哪个文件；默认是数据文件夹里的 audit-seals.jsonl`,
    audit: `用法：${keygen}
      ${verify}
      ${exported}

keygen  生成一个新的 Ed25519 密钥（权限 0600），公钥写在旁边的 .pub 文件里
verify  检查链接、封条、封条文件和密钥，指出第一处不对的地方；不改动任何东西，
        不需要服务器，服务器运行时也能用。退出码 0 表示完好，1 表示有问题
export  把事件和封条导出为 JSON Lines，供 "verify --export" 检查，其中不含机密

  --seals       封条文件，或保存在别处的副本
  --public-key  允许封存的公钥；可以给多个
  --redact      还要隐去哪些值：{ "paths": ["actions.*.tool"], "keys": ["iban"] }`,
  },
};

/** The texts in a language. */
export function helpText(language: Language): HelpText {
  return texts[language];
}
