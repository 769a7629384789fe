import { randomBytes } from "node:crypto"
import { testSchemas } from "@assay/scoring/testing"
import type { LocalPorts } from "../local-environment.ts"

/** Returns the ports of a run on this machine without a server, whose clock stands still. */
export function localTestPorts(home: string): LocalPorts {
  const noServer = async (): Promise<never> => {
    throw new Error("This test has no server.")
  }
  const sleep = async () => undefined
  return {
    keys: { env: {}, isKeyHost: () => true, defaultVariable: "KEY" },
    home,
    filesets: { getFileset: noServer, openStorage: noServer },
    getGuardrail: noServer,
    readGuardrailFile: noServer,
    schemas: testSchemas(),
    inference: { now: () => 0, random: () => 0, sleep },
    now: () => 0,
    random: () => 0,
    randomBytes,
    sleep,
    pid: 1,
    isProcessAlive: () => false,
    programs: { assay: "test" },
  }
}
