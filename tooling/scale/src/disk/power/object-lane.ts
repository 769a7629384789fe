import { askForUpload, commit } from "../faults/upload-operations.ts"
import { FILES, filesetStep, isFile, record, sha256, type Recorder } from "./recorder.ts"

/** Sends Git LFS objects, and commits half of them. */
export async function objectLane(recorder: Recorder, fileset: string, steps: number): Promise<void> {
  const { send } = recorder
  await record(recorder, filesetStep(send, fileset))
  for (let step = 0; step < steps; step++) {
    const body = `${fileset} ${step} `.repeat(3000)
    const { upload } = await askForUpload(send, fileset, body)
    if (upload === undefined) throw new Error("The server did not ask for the object.")
    await record(recorder, {
      subject: `object ${fileset} ${step}`,
      read: async (from) => (await askForUpload(from, fileset, body)).answer,
      check: ({ text }) => (text.includes('"upload"') ? "the object is missing" : undefined),
      write: () => send("PUT", upload, { body }),
    })
    if (step % 2 === 1) continue
    const path = `object/${step}`
    const value = { path, algo: "sha256", oid: sha256(body), size: body.length }
    await record(recorder, {
      subject: `file of object ${fileset} ${step}`,
      read: (from) => from("GET", `${FILES}/${fileset}/-/${path}`),
      check: isFile(body),
      write: () => commit(send, fileset, [{ key: "lfsFile", value }]),
    })
  }
}
