import { statfs } from "node:fs/promises"
import { createProgressLine, formatBytes, formatTransferProgress } from "@assay/reports/terminal"
import { printable } from "@assay/schemas"
import { checkDeep, checkLocalServer, checkModes, type Finding, runCheck } from "@assay/server"
import type { Context } from "../../context.ts"
import { EXIT, type ExitCode } from "../../exit-code.ts"
import { nodeFault } from "../../node-fault.ts"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { checkServer } from "./check-server.ts"
import { withDataDir } from "./config.ts"

export interface DoctorOptions extends JsonOption {
  readonly deep?: boolean
  readonly dataDir?: string
}

/** Runs `assay doctor`: exit code 2 if something must be fixed; with `--deep`, 1 if stored data are damaged. */
export async function doctor(given: Context, options: DoctorOptions): Promise<ExitCode> {
  const context = { ...given, env: withServerAddress(withDataDir(given.env, options.dataDir)) }
  if (options.deep === true) return doctorDeep(context, options)
  const [server, ...stored] = await checkServer(context)
  const isNamed = (given.env["ASSAY_URL"] ?? "") !== ""
  // A server that answers checks its own database and storage. Those of another machine cannot be seen from here.
  const local = server.ok || isNamed ? [] : await checkLocalServer(context)
  const checks = [...(await checkMachine(context)), server, ...local, ...(await checkModes(context)), ...stored]
  const ok = checks.every((finding) => finding.ok)
  await print(context, options, { ok, checks }, () => checks.map(formatFinding).join(""))
  return ok ? EXIT.done : EXIT.fixable
}

/** Sets the address of the server, which listens on PORT of these settings. ASSAY_URL names another address. */
function withServerAddress(env: Context["env"]): Context["env"] {
  const { ASSAY_URL: url = "", PORT: port = "" } = env
  return url !== "" || port === "" ? env : { ...env, ASSAY_URL: `http://127.0.0.1:${port}` }
}

/** Checks the data folder itself, whether or not a server uses it. */
async function doctorDeep(context: Context, options: DoctorOptions): Promise<ExitCode> {
  const line = createProgressLine(context, formatTransferProgress)
  const { findings, damage, isDamaged } = await checkDeep(context, {
    signal: context.signal,
    onProgress: (progress) => line.show({ ...progress, isTotalKnown: true, movedBytes: progress.bytes }),
  }).finally(() => line.clear())
  const checks = [...(await checkMachine(context)), ...(await checkModes(context)), ...findings]
  const ok = checks.every((finding) => finding.ok)
  await print(context, options, { ok, checks, damage }, () => checks.map(formatFinding).join(""))
  if (isDamaged) return EXIT.no
  return ok ? EXIT.done : EXIT.fixable
}

function formatFinding({ name, ok, detail }: Finding): string {
  return `${ok ? "ok  " : "FAIL"}  ${name.padEnd(9)}  ${detail.split("\n").map(printable).join("\n                 ")}\n`
}

const SCARCE_BYTES = 1_073_741_824

/** Checks the version of Node and the free space on the disk of the working folder. */
async function checkMachine({ cwd, nodeVersion }: Context): Promise<readonly Finding[]> {
  const node = await runCheck("node", async () => {
    const fault = nodeFault(nodeVersion)
    return { ok: fault === undefined, detail: fault ?? nodeVersion }
  })
  const disk = await runCheck("disk", async () => {
    const { bavail, bsize } = await statfs(cwd)
    const free = formatBytes(bavail * bsize)
    const ok = bavail * bsize >= SCARCE_BYTES
    return { ok, detail: ok ? `${free} free` : `Only ${free} are free: free some space before you store more.` }
  })
  return [node, disk]
}
