import type { Answer, Send } from "../faults/operation.ts"
import { CHECKED, endOf } from "../faults/job-operations.ts"
import { chunkLane, historyLane } from "./history-lane.ts"
import { objectLane } from "./object-lane.ts"
import { FILES, filesetStep, hasStatus, isFile, record, type Recorder } from "./recorder.ts"

const JOBS = "/v1/evaluation/jobs"
const TUS = { "tus-resumable": "1.0.0" }
const bodyOf = (lane: number, step: number) => `${lane}-${step} `.repeat(50 + ((lane * 7919 + step * 104_729) % 3000))

/** Writes files in new nested folders, replaces some, and deletes some. */
async function fileLane(recorder: Recorder, lane: number, steps: number): Promise<void> {
  const { send } = recorder
  const fileset = `lane-${lane}`
  await record(recorder, filesetStep(send, fileset))
  for (let step = 0; step < steps; step++) {
    const path = step % 3 === 2 ? `${FILES}/${fileset}/-/flat` : `${FILES}/${fileset}/-/a${step}/b/c${step % 2}/file`
    const body = bodyOf(lane, step)
    const read = (from: Send) => from("GET", path)
    await record(recorder, { subject: path, read, check: isFile(body), write: () => send("PUT", path, { body }) })
    if (step % 5 !== 4) continue
    await record(recorder, { subject: path, read, check: hasStatus(404), write: () => send("DELETE", path) })
  }
}

/** Creates, renames and deletes filesets with files. */
async function filesetLane(recorder: Recorder, id: string, steps: number): Promise<void> {
  const { send } = recorder
  for (let step = 0; step < steps; step++) {
    const [name, renamed] = [`${id}-${step}`, `${id}-${step}-renamed`]
    await record(recorder, filesetStep(send, name))
    const body = bodyOf(99, step)
    await send("PUT", `${FILES}/${name}/-/x/y`, { body })
    const subject = `fileset ${name}`
    const read = (from: Send) => from("GET", `${FILES}/${renamed}/-/x/y`)
    await record(recorder, {
      subject,
      read,
      check: isFile(body),
      write: () => send("PATCH", `${FILES}/${name}`, { json: { name: renamed } }),
    })
    if (step % 2 === 0) continue
    await record(recorder, { subject, read, check: hasStatus(404), write: () => send("DELETE", `${FILES}/${renamed}`) })
  }
}

/** Sends files in two pieces or, at every second step, in one. */
async function uploadLane(recorder: Recorder, id: string, steps: number): Promise<void> {
  const { send } = recorder
  await record(recorder, filesetStep(send, id))
  for (let step = 0; step < steps; step++) {
    const body = `${id} ${step} `.repeat(2000)
    const path = `up/${step}/file`
    const metadata = `path ${Buffer.from(path).toString("base64")}`
    let location = ""
    const subject = `upload ${id} ${step}`
    const read = (from: Send) => from("HEAD", location, { headers: TUS })
    const reaches = (offset: number) => (answer: Answer) => {
      const found = Number(answer.headers.get("upload-offset") ?? -1)
      return found >= offset ? undefined : `the offset is ${found}, not ${offset} (status ${answer.status})`
    }
    const create = async () => {
      const headers = { ...TUS, "upload-length": String(body.length), "upload-metadata": metadata }
      const answer = await send("POST", `${FILES}/${id}/uploads`, { headers })
      location = new URL(answer.headers.get("location") ?? "", "http://localhost").pathname
      return answer
    }
    await record(recorder, { subject, read, check: reaches(0), write: create })
    const half = body.length / 2
    const patch = (offset: number, piece: string) => {
      const headers = { ...TUS, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) }
      return send("PATCH", location, { headers, body: piece })
    }
    const start = step % 2 === 0 ? half : 0
    if (start > 0)
      await record(recorder, { subject, read, check: reaches(half), write: () => patch(0, body.slice(0, half)) })
    await record(recorder, {
      subject,
      read: (from) => from("GET", `${FILES}/${id}/-/${path}`),
      check: isFile(body),
      write: () => patch(start, body.slice(start)),
    })
  }
}

/** Creates records, tokens, labels and jobs. */
async function recordLane(recorder: Recorder, id: string, steps: number): Promise<void> {
  const { send } = recorder
  const secrets = "/apis/secrets/v2/workspaces/default/secrets"
  for (let step = 0; step < steps; step++) {
    const name = `${id}-${step}`
    const read = (from: Send) => from("GET", `${secrets}/${name}`)
    const json = { name, value: "hidden" }
    await record(recorder, { subject: name, read, check: hasStatus(200), write: () => send("POST", secrets, { json }) })
    if (step % 2 === 1)
      await record(recorder, {
        subject: name,
        read,
        check: hasStatus(404),
        write: () => send("DELETE", `${secrets}/${name}`),
      })
    const grants = [{ workspace: "default", role: "viewer" }]
    await record(recorder, {
      subject: `token ${name}`,
      read: (from) => from("GET", "/v1/tokens"),
      check: ({ text }) => (text.includes(`"${name}"`) ? undefined : "the token is missing"),
      write: () => send("POST", "/v1/tokens", { json: { name, grants } }),
    })
    await jobStep(recorder, name)
  }
}

async function jobStep(recorder: Recorder, name: string): Promise<void> {
  const { send, position, note } = recorder
  const rows = Array.from({ length: 20 }, (_, row) => ({ answer: row % 3 === 0 ? "yes" : "no", expected: "yes" }))
  const json = { target: { type: "rows", rows }, config: CHECKED }
  let id = ""
  const launch = async () => {
    const answer = await send("POST", `${JOBS}?skip_validation_checks=1`, { json })
    id = (answer.json as { readonly id: string }).id
    return answer
  }
  const get = (from: Send) => from("GET", `${JOBS}/${id}`)
  await record(recorder, { subject: `job ${name}`, read: get, check: hasStatus(200), write: launch })
  const begun = position()
  await endOf(send, id)
  const ended = position()
  const results = (await send("GET", `${JOBS}/${id}/results`)).text
  const isSame = ({ text }: Answer) => (text === results ? undefined : `the results differ: ${text.slice(0, 200)}`)
  note({ subject: `job ${name}`, begun, ended, read: (from) => from("GET", `${JOBS}/${id}/results`), check: isSame })
  const rowsRead = (from: Send) => from("GET", `${JOBS}/${id}/rows`)
  const hasRows = ({ text }: Answer) =>
    (JSON.parse(text) as { total?: number }).total === 20 ? undefined : `the rows are missing: ${text.slice(0, 200)}`
  note({ subject: `rows of ${name}`, begun, ended, read: rowsRead, check: hasRows })
  const labels = [{ task: "qa", row_index: 0, repeat: 0, metric: "accuracy", label: 1 }]
  await record(recorder, {
    subject: `labels ${name}`,
    read: (from) => from("GET", `${JOBS}/${id}/labels?metric=accuracy&fileset=labels-${name}`),
    check: ({ text }) => (text.includes('"row_index":0') ? undefined : `the label is missing: ${text.slice(0, 200)}`),
    write: () => send("PUT", `${JOBS}/${id}/labels`, { json: { labels, fileset: `labels-${name}` } }),
  })
}

/** Runs writes of every kind, several at a time. `part` makes their names differ from those of other runs. */
export async function runWorkload(recorder: Recorder, part: number, steps: number): Promise<void> {
  await Promise.all([
    ...[0, 1, 2].map((lane) => fileLane(recorder, part * 10 + lane, steps)),
    filesetLane(recorder, `set-${part}`, Math.ceil(steps / 4)),
    uploadLane(recorder, `pieces-${part}`, Math.ceil(steps / 2)),
    objectLane(recorder, `objects-${part}`, Math.ceil(steps / 4)),
    historyLane(recorder, `history-${part}`, Math.ceil(steps / 4)),
    chunkLane(recorder, `chunks-${part}`, Math.ceil(steps / 8)),
    recordLane(recorder, `record-${part}`, Math.ceil(steps / 8)),
  ])
}
