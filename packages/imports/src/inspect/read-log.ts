import type { FileHandle } from "node:fs/promises"
import { fieldsOf, listOf } from "@assay/json"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { localFailure, openRegularFile } from "@assay/storage"
import { listZipEntries, type ZipEntry } from "./zip-entries.ts"

/** A log of Inspect that is open. */
export interface InspectLog {
  /** The fields of the log about all samples: `eval`, `results`, `status`. */
  readonly header: Readonly<Record<string, unknown>>
  /** Reads the samples one after the other. @throws `bad_document` */
  samples(): AsyncIterable<InspectSample>
  [Symbol.asyncDispose](): Promise<void>
}

export interface InspectSample {
  readonly sample: Readonly<Record<string, unknown>>
  /** Where it is in the log. */
  readonly location: string
}

/** Largest log in JSON, in bytes. It is read whole; a log with the ending .eval has no limit but those of its samples. */
const MAX_JSON_BYTES = 256 * 1024 * 1024

/** Opens a log of Inspect, `.json` or `.eval`. @throws `bad_document`, `not_found` */
export async function openInspectLog(path: string, name: string): Promise<InspectLog> {
  let file: FileHandle
  try {
    file = await openRegularFile(path)
  } catch (error) {
    throw localFailure(error, "read", path)
  }
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    const isZip = bytesRead === 4 && buffer.readUInt32LE(0) === 0x04_03_4b_50
    return isZip ? await openZip(file, name) : await openJson(file, name)
  } catch (error) {
    await file.close()
    throw localFailure(error, "read", path)
  }
}

async function openJson(file: FileHandle, name: string): Promise<InspectLog> {
  const { size } = await file.stat()
  if (size > MAX_JSON_BYTES) {
    const message = `${name} has ${size} bytes; logs in JSON may have ${MAX_JSON_BYTES}. Convert it with \`inspect log convert --to eval\`.`
    throw new AssayError("bad_document", message)
  }
  const { samples, ...header } = fieldsOf(parseText(await file.readFile("utf8"), name))
  checkHeader(header, name)
  return {
    header,
    async *samples() {
      for (const [index, sample] of listOf(samples).entries()) {
        yield { sample: fieldsOf(sample), location: `${name}, sample ${index + 1}` }
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

async function openZip(file: FileHandle, name: string): Promise<InspectLog> {
  const entries = await listZipEntries(file, name)
  const read = async (entry: ZipEntry) =>
    fieldsOf(parseText((await entry.read()).toString("utf8"), `${name}, ${entry.name}`))
  const found = ["header.json", "_journal/start.json"].flatMap(
    (one) => entries.find((entry) => entry.name === one) ?? [],
  )
  const [first] = found
  const header = first === undefined ? {} : await read(first)
  checkHeader(header, name)
  return {
    header,
    async *samples() {
      for (const entry of entries) {
        if (!/^samples\/.+\.json$/.test(entry.name)) continue
        yield { sample: await read(entry), location: `${name}, ${entry.name}` }
      }
    },
    [Symbol.asyncDispose]: () => file.close(),
  }
}

function parseText(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseWithNan(text, name)
  }
}

/** Matches texts, so that nothing in them is changed, and numbers that are not JSON. */
const PYTHON_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs

/** Parses JSON as Python writes it: numbers can be NaN and Infinity, which become null. @throws `bad_document` */
function parseWithNan(text: string, name: string): unknown {
  try {
    const plain = text.replaceAll(PYTHON_NUMBERS, (part) => (part.startsWith('"') ? part : "null"))
    return JSON.parse(plain)
  } catch (error) {
    throw new AssayError("bad_document", `${name} is not JSON: ${messageOf(error)}.`, { cause: error })
  }
}

function checkHeader({ eval: about }: Readonly<Record<string, unknown>>, name: string): void {
  if (typeof fieldsOf(about)["task"] === "string") return
  throw new AssayError("bad_document", `${name} is not a log of Inspect: it has no 'eval' with a 'task'.`)
}
