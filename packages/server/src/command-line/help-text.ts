import type { Language } from "./language.ts";

/** What `--help` prints, for all commands and for each. */
export type HelpText = {
  readonly all: string;
  readonly start: string;
  readonly audit: string;
  readonly backup: string;
  readonly retention: string;
  readonly import: string;
};

const start = "holdpoint start [--config holdpoint.config.ts] [--data .holdpoint] [--port 2024]";
const keygen = "holdpoint audit keygen [--out holdpoint-audit.pem]";
const verify =
  "holdpoint audit verify --database file:… | postgres://… | --export audit.jsonl [--seals seals.jsonl] [--public-key audit.pem.pub]";
const exported =
  "holdpoint audit export --database file:… | postgres://… [--redact policy.json] [--output audit.jsonl]";
const backup = "holdpoint backup backup.db [--data .holdpoint]";
const restore = "holdpoint restore backup.db [--data .holdpoint] [--public-key audit.pem.pub]";
const adopt = "holdpoint restore --adopt --database file:… | postgres://… [--seals seals.jsonl]";

const retain = "holdpoint retain --older-than 90d --database file:… | postgres://…";
const prune =
  "holdpoint prune [--older-than 7d] [--keep-last 10] [--thread id] --database file:… | postgres://…";
const erase = "holdpoint erase --thread id | --reviewer id --database file:… | postgres://…";
const imported =
  "holdpoint import --from langgraph.db | postgres://… --database file:… | postgres://… [--thread id] [--agent name] [--schema public]";

const texts: Readonly<Record<Language, HelpText>> = {
  en: {
    all: `Usage: ${start}
       ${keygen}
       ${verify}
       ${exported}
       ${backup}
       ${restore}
       ${adopt}
       ${retain}
       ${prune}
       ${erase}
       ${imported}
"holdpoint start --help", and so on, says more of each.`,
    start: `Usage: ${start}

  --config  the agents and their options
  --data    the folder of the agents' files, and of the database unless one is named
  --port    the wanted port; the next free one is taken when it is not free

DATABASE_URL           a PostgreSQL database (postgres://…) for any number of servers, or a file (file:…)
DATABASE_DIRECT_URL    the same database past a pooler, to hear at once what other servers do
HOLDPOINT_AUDIT_KEY    a key file of "holdpoint audit keygen": the audit is sealed once a minute
HOLDPOINT_AUDIT_SEALS  where the seals are appended; audit-seals.jsonl in the data folder otherwise
HOLDPOINT_STARTS       where starts of tools are noted, so that an old copy of the database is noticed;
                       starts-of-holdpoint.db.jsonl in the data folder otherwise`,
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
    backup: `Usage: ${backup}
       ${restore}
       ${adopt}

backup   writes the SQLite database to a new file, while the server runs; for Postgres use pg_dump
restore  puts a backup in the place of the database, of which a stopped server keeps the old file; what was
         approved in it and may have run since is asked about again, and everybody signs in anew
--adopt  the same for a database that was brought back by other means, such as pg_restore

  --public-key  who may have sealed the backup's audit; can be given more than once
  --seals       the seals file that belongs to the database, which is given another name
HOLDPOINT_AUDIT_SEALS and HOLDPOINT_STARTS count as they do for "holdpoint start".`,
    retention: `Usage: ${retain}
       ${prune}
       ${erase}

retain  removes threads on which nothing has happened for so many days and nothing is open; their audit stays
prune   removes checkpoints from the history of threads that stay: those that are older, except so many of the
        newest; what can still be resumed stays in any case. At least one of the two is needed
erase   removes a thread at once, or who a reviewer was; bodies in the audit that name them are emptied, and
        the audit still verifies`,
    import: `Usage: ${imported}

import  moves threads from a file of LangGraph's SqliteSaver, or the tables of its PostgresSaver: history, pending
        writes and subgraphs. What waits for a person is in the inbox afterwards. The source is only read; stop
        whoever writes it. A thread that cannot be moved whole stays there, and a sentence says why. Started
        again, it adds what is missing. Exit code 0: all are here; 1: some stay

  --thread  one thread; all of them otherwise
  --agent   the agent of your configuration that goes on with them, once a person has decided
  --schema  the schema of the PostgresSaver's tables`,
  },
  "zh-CN": {
    all: `用法：${start}
      ${keygen}
      ${verify}
      ${exported}
      ${backup}
      ${restore}
      ${adopt}
      ${retain}
      ${prune}
      ${erase}
      ${imported}
每个命令的详细说明见 "holdpoint start --help" 等。`,
    start: `用法：${start}

  --config  智能体及其选项
  --data    智能体文件所在的文件夹；没有另外指定数据库时，数据库也在这里
  --port    想用的端口；被占用时自动换下一个空闲端口

DATABASE_URL           PostgreSQL 数据库（postgres://…，可供任意多个服务器共用），或一个文件（file:…）
DATABASE_DIRECT_URL    绕过连接池直达同一数据库的地址，用来立即得知其他服务器做了什么
HOLDPOINT_AUDIT_KEY    由 "holdpoint audit keygen" 生成的密钥文件；设置后每分钟封存一次审计记录
HOLDPOINT_AUDIT_SEALS  封条追加到哪个文件；默认是数据文件夹里的 audit-seals.jsonl
HOLDPOINT_STARTS       工具开始运行的记录写到哪个文件，用来发现数据库被换成了旧副本；
                       默认是数据文件夹里的 starts-of-holdpoint.db.jsonl`,
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
    backup: `用法：${backup}
      ${restore}
      ${adopt}

backup   把 SQLite 数据库写入一个新文件，服务器可以照常运行；Postgres 请用 pg_dump
restore  用备份替换数据库（须先停止服务器，旧文件会保留）；备份里已批准、之后可能运行过的调用会重新询问，
         所有人需要重新登录
--adopt  数据库是用其他方法恢复的（例如 pg_restore）时，效果相同

  --public-key  允许封存备份审计记录的公钥；可以给多个
  --seals       属于该数据库的封条文件，它会被改名
HOLDPOINT_AUDIT_SEALS 和 HOLDPOINT_STARTS 的含义与 "holdpoint start" 相同。`,
    retention: `用法：${retain}
      ${prune}
      ${erase}

retain  清理这么多天没有动静、也没有未决内容的对话；审计保留
prune   从保留的对话中删除历史检查点：删除早于期限的，但保留最新的若干个；仍可继续的内容始终保留。
        两个条件至少给出一个
erase   立即删除一个对话，或抹去某位审批人的身份；审计里提到他们的正文会被清空，审计仍能验证`,
    import: `用法：${imported}

import  从 LangGraph 的 SqliteSaver 文件或 PostgresSaver 的表导入对话，包括历史、待处理写入和子图；等待人决定的
        内容随后会出现在收件箱里。来源只读，请先停止写入它的程序。不能完整导入的对话留在原处，并用一句话说明原因。
        可以重复运行，缺少的会补上。退出码 0 表示全部导入，1 表示有对话留在原处

  --thread  只导入一个对话；默认全部
  --agent   配置里的哪个智能体在有人决定之后继续这些对话
  --schema  PostgresSaver 的表所在的 schema`,
  },
};

/** The texts in a language. */
export function helpText(language: Language): HelpText {
  return texts[language];
}
