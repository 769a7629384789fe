import { Pool } from "undici"

const PER_SECOND = 50
const TICK_MS = 1000 / PER_SECOND

/**
 * Runs `work` while 50 filesets a second are created on the server. Returns its result and the number of filesets created.
 * A write is sent when its time has come, whether or not the ones before were answered.
 */
export async function whileWriting<T>(
  server: string,
  label: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly writes: number }> {
  const pool = new Pool(server, { connections: 8 })
  const pending = new Set<Promise<void>>()
  const failures: unknown[] = []
  let sent = 0
  const create = async (index: number) => {
    const answer = await pool.request({
      method: "POST",
      path: "/apis/files/v2/workspaces/default/filesets",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: `written-${label}-${index}`, purpose: "dataset" }),
    })
    if (answer.statusCode !== 200) throw new Error(`POST: ${answer.statusCode} ${await answer.body.text()}`)
    await answer.body.dump()
  }
  const timer = setInterval(() => {
    sent += 1
    const done: Promise<void> = create(sent)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => pending.delete(done))
    pending.add(done)
  }, TICK_MS)
  try {
    const result = await work()
    clearInterval(timer)
    await Promise.all(pending)
    if (failures.length > 0) throw failures[0]
    return { result, writes: sent }
  } finally {
    clearInterval(timer)
    await pool.close()
  }
}
