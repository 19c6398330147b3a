// The front end of the resume API's specification, as it is written there, in a real browser. Between it and the server is
// the application's own gateway, which adds the person's token.
// Usage: front_end.mjs CHROMIUM ADDRESS TOKEN THREAD MESSAGE
import { createServer, request } from "node:http";
import { chromium } from "playwright-core";

const [executablePath, address, token, thread, message] = process.argv.slice(2);

// Sections 3.2 and 5.2 of the specification, without their types.
const SPEC = `
eventSource.onmessage = (event) => {
  const data = JSON.parse(event.data)
  
  if (data.event === 'interrupt') {
    if (data.questions?.length) {
      // 问答类型，显示问答表单
      showQuestionForm(data.questions)
    } else {
      // 普通中断，显示确认选项
      showConfirmDialog(data)
    }
  }
}

// 2. 用户回答后提交
async function submitAnswers(answers) {
  const response = await fetch(\`/api/resume/\${threadId}\`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      action: 'answer',
      answers: answers
    })
  })
  
  // 处理流式响应...
  return response.text()
}

function isAskUserInterrupt(data) {
  return Array.isArray(data.questions) && data.questions.length > 0
}
`;
const PAGE = `<!doctype html><title>Spec</title><script>
const threadId = ${JSON.stringify(thread)};
const shown = [];
const showQuestionForm = (questions) => shown.push({ questions });
const showConfirmDialog = (data) => shown.push({ info: data.info, asks: isAskUserInterrupt(data), inner: data.data });
const eventSource = new EventSource(\`/api/stream/\${threadId}\`);
${SPEC}
</script>`;

const gateway = createServer((from, to) => {
  if (!from.url.startsWith("/api/")) return void to.setHeader("content-type", "text/html").end(PAGE);
  const headers = { ...from.headers, host: new URL(address).host, authorization: `Bearer ${token}` };
  for (const name of ["origin", "referer", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"]) delete headers[name];
  const sent = request(`${address}${from.url}`, { method: from.method, headers }, (reply) => {
    to.writeHead(reply.statusCode, reply.headers);
    reply.pipe(to);
  });
  sent.on("error", () => to.destroy());
  to.on("close", () => sent.destroy());
  from.pipe(sent);
});
await new Promise((ready) => gateway.listen(0, "127.0.0.1", ready));
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
page.setDefaultTimeout(60_000);
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
const post = (what, body) => page.evaluate(async ([path, sent]) => {
  const headers = { "Content-Type": "application/json" };
  return (await fetch(path, { method: "POST", headers, body: JSON.stringify(sent) })).text();
}, [`/api/${what}/${thread}`, body]);
const open = () => page.goto(`http://127.0.0.1:${gateway.address().port}/`);
const seen = async (count) => {
  await page.waitForFunction((most) => shown.length >= most, count);
  return page.evaluate(() => shown);
};
const answer = (answers) => page.evaluate((given) => submitAnswers(given), answers);

// The message is sent from another page, so that what arrives comes from the stream alone.
await open();
const chat = await post("chat", { message });
await open();
const approval = await seen(1);
// A browser that loads the page again in mid-interrupt sees it again.
await page.reload();
const again = await seen(1);
const approved = post("resume", { action: "continue" });
const questions = await seen(2);
await approved;
const wrongCount = await answer(["red", "dog"]);
const empty = await answer(["red", "  ", "now"]);
const accepted = await answer(["red", "fox", "now"]);
process.stdout.write(`${JSON.stringify({ chat, approval, again, questions, wrongCount, empty, accepted, errors })}\n`);
await browser.close();
gateway.close();
gateway.closeAllConnections();
