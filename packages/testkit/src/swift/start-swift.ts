import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { unprivilegedUser } from "../programs/unprivileged-user.ts"
import { findSwift } from "./find-swift.ts"
import { keepServer } from "../programs/keep-server.ts"
import { SWIFT_ACCESS_KEY_ID, SWIFT_REGION, SWIFT_SECRET_ACCESS_KEY } from "./swift-configuration.ts"
import { writeSwiftFiles } from "./write-swift-files.ts"

/** The address of the object store, and the account to use. */
interface SwiftAccount {
  /** Without a slash at its end. */
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface SwiftServer extends SwiftAccount {
  /** Ends the servers and removes their data. */
  close(): Promise<void>
}

export interface SwiftOptions {
  /** Parent folder of its data. Default: the system's folder for temporary files. */
  readonly dir?: string
}

/** Loading a resolver of names takes half of the start of each process, and addresses are numbers. */
const WITHOUT_RESOLVER = { EVENTLET_NO_GREENDNS: "yes" }

/** Four Python processes start in parallel, which takes long on a busy machine. */
const START_MS = 60_000

/**
 * Starts an OpenStack Swift with the S3 protocol (`s3api`, path style) and without buckets, on free ports of 127.0.0.1.
 * @throws if `findSwift` does not find it
 */
export async function startSwift({ dir = tmpdir() }: SwiftOptions = {}): Promise<SwiftServer> {
  const found = findSwift({ dir })
  if (!found.isThere) throw new Error(`Swift can't be started: ${found.reason}.`)
  const user = unprivilegedUser()
  const files = await writeSwiftFiles(dir, user.uid)
  const kept = files.servers.map(({ service, folder, configuration }) =>
    keepServer({ command: [found.programs[service], configuration], folder, user, env: WITHOUT_RESOLVER }),
  )
  const close = async () => {
    await Promise.all(kept.map((server) => server.stop()))
    await rm(files.folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const tooLate = AbortSignal.timeout(START_MS)
  const failed = new AbortController()
  try {
    const signal = AbortSignal.any([failed.signal, tooLate])
    const listening = files.servers.map(({ port }) => waitForAnswer(port, signal))
    await Promise.race([Promise.all(listening), ...kept.map(({ ended }) => ended)])
  } catch (cause) {
    failed.abort()
    await close()
    throw tooLate.aborted ? new Error(`Swift did not answer within ${START_MS / 1000} s.`, { cause }) : cause
  }
  return {
    endpoint: `http://127.0.0.1:${files.servers.find(({ service }) => service === "proxy")?.port}`,
    region: SWIFT_REGION,
    accessKeyId: SWIFT_ACCESS_KEY_ID,
    secretAccessKey: SWIFT_SECRET_ACCESS_KEY,
    close,
  }
}

/** Resolves when a server answers. */
async function waitForAnswer(port: number, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await fetch(`http://127.0.0.1:${port}/healthcheck`, { signal })
      return
    } catch {
      // It does not answer yet.
      await sleep(50, undefined, { signal })
    }
  }
}
