import { startChunks } from "../faults/xet-operations.ts"
import { FILES, filesetStep, hasStatus, isFile, record, type Recorder } from "./recorder.ts"

/** Milliseconds between two moments of the history that differ. */
const MOMENT_MS = 5
const wait = () => new Promise((resolve) => setTimeout(resolve, MOMENT_MS))

/** Replaces and deletes files, and restores what was there before. */
export async function historyLane(recorder: Recorder, fileset: string, steps: number): Promise<void> {
  const { send } = recorder
  await record(recorder, filesetStep(send, fileset))
  for (let step = 0; step < steps; step++) {
    const path = `${FILES}/${fileset}/-/kept/${step}/file`
    const [first, second] = [`${fileset} ${step} first `.repeat(400), `${fileset} ${step} second `.repeat(300)]
    const subject = { subject: path, read: (from: typeof send) => from("GET", path) }
    await record(recorder, { ...subject, check: isFile(first), write: () => send("PUT", path, { body: first }) })
    await wait()
    const json = { revision: new Date().toISOString(), path: `kept/${step}/file` }
    await wait()
    await (step % 2 === 0
      ? record(recorder, { ...subject, check: isFile(second), write: () => send("PUT", path, { body: second }) })
      : record(recorder, { ...subject, check: hasStatus(404), write: () => send("DELETE", path) }))
    const write = () => send("POST", `${FILES}/${fileset}/restore`, { json })
    await record(recorder, { ...subject, check: isFile(first), write })
  }
}

/** Sends files in chunks, as clients of Xet do, and commits them. */
export async function chunkLane(recorder: Recorder, id: string, steps: number): Promise<void> {
  const { send } = recorder
  for (let step = 0; step < steps; step++) {
    const name = `${id}-${step}`
    const chunks = await startChunks(send, name)
    await chunks.sendXorb()
    await chunks.sendShard()
    await record(recorder, {
      subject: `file of chunks ${name}`,
      read: (from) => from("GET", `${FILES}/${name}/-/a/large`),
      check: isFile(chunks.text),
      write: () => chunks.commit(),
    })
  }
}
