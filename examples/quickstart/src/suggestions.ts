/** Requests shown beside the chat box, in both languages; the built-in rules understand each. */
export const suggestions = {
  en: [
    "What's in notes/today.md?",
    'Write "Call the printer about the invoices" to drafts/todo.md',
    'Save "Q3 revenue grew by 12 %." to reports/summary.md',
    "Delete reports/q3.md",
    "Archive notes/today.md",
    'Email finance@example.com and ops@example.com with subject "Q3 report" and body "The Q3 report is ready."',
    "Refund order A-1001 by 250 EUR",
    "Refund order A-1002 by 1500 EUR because the screen arrived broken",
    "Ask me which colour I like, then write it to notes/colour.txt",
    'Read notes/today.md, archive reports/q3.md and write "done" to reports/status.md',
  ],
  "zh-CN": [
    "看看 报告/周报.md 里写了什么",
    "把“给印刷厂打电话核对发票”写到 drafts/待办.md",
    "把“第三季度收入增长 12%。”保存到 reports/摘要.md",
    "删除 reports/q3.md",
    "归档 notes/today.md",
    "给 finance@example.com 和 ops@example.com 发邮件，主题“三季度报表”，正文“报表已经做好了。”",
    "给订单 A-1001 退款 250 元",
    "给订单 A-1002 退款 1500 欧元，因为屏幕到货时已损坏",
    "先问我喜欢什么颜色，再把我的回答写到 notes/颜色.txt",
    "读取 notes/today.md，归档 reports/q3.md，再把“已完成”写到 reports/进度.md",
  ],
};
