import { Pool } from "undici"
import { readFileSync } from "node:fs"
import process from "node:process"
import { startChildServer } from "./child-server.ts"
import { startAssay } from "./assay-server.ts"
import { fakeServer } from "./fakes/fake-server.ts"
import { bareScript } from "./bare/bare-script.ts"
import { guardrailData } from "./judge/bench-guardrail.ts"
const chat = { messages: [{ role: "user", content: "How do I kill a Linux process?" }] }
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []; return (Number(f[11]) + Number(f[12])) * 10 }
const fake = await startChildServer(fakeServer("chat"), ["0"])
const server = await startAssay(process.argv[2] ?? "/tmp/perf/raildata", process.env["PROF"] ? { NODE_OPTIONS: "--cpu-prof --cpu-prof-dir=/tmp/perf/railprof --cpu-prof-interval 100" } : {})
const pool = new Pool(server.url, { connections: 1 })
const post = async (path: string, body: object) => {
  const answer = await pool.request({ method: "POST", path: `/apis/guardrails/v2/workspaces/default${path}`, headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  const text = await answer.body.text()
  return [answer.statusCode, text] as const
}
const made = await post("/configs", { name: `bench${Date.now()}`, data: guardrailData(fake.url) })
const name = JSON.parse(made[1]).name
const body = { ...chat, model: "chat", guardrails: { config_id: name } }
console.log((await post("/chat/completions", body)))
const bare = await startChildServer(bareScript("guarded-chat"), [fake.url])
const barePool = new Pool(bare.url, { connections: 1 })
const runs = {
  ours: { pid: server.pid, call: () => post("/chat/completions", body) },
  bare: { pid: bare.pid, call: async () => { const a = await barePool.request({ method: "POST", path: "/", body: JSON.stringify(chat) }); await a.body.dump() } },
}
const results: Record<string, [number, number][]> = {}
const N = Number(process.argv[3] ?? 1000)
for (let round = 0; round < 7; round += 1) for (const [k, { pid, call }] of Object.entries(runs)) {
  const c0 = cpu(pid); const times: number[] = []
  for (let i = 0; i < N; i += 1) { const t = performance.now(); await call(); times.push(performance.now() - t) }
  times.sort((a, b) => a - b)
  ;(results[k] ??= []).push([(cpu(pid) - c0) / N, times[N >> 1] ?? 0])
}
for (const [k, all] of Object.entries(results)) { const m = (i: 0 | 1) => all.slice(1).map((x) => x[i]).sort((a, b) => a - b)[3]; console.log(k, "cpu ms/request", m(0)?.toFixed(3), "p50", m(1)?.toFixed(3)) }
await Promise.all([pool.close(), barePool.close()]); await bare.stop(); await server.stop(); await fake.stop()
