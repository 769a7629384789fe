import { DEFAULT_SERVER_URL } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { welcome } from "./welcome.ts"

describe("the welcome of a server", () => {
  const commandsAt = (url: string) => {
    const text = welcome({ url, dataFolder: "/data", roles: ["api", "worker"] }, "assay")
    return text.split("\n").filter((line) => /^ {4}(export|assay) /.test(line))
  }

  it("sets ASSAY_URL for the commands if the server does not listen at the default URL", () => {
    expect(commandsAt("http://127.0.0.1:9000")[0]).toBe("    export ASSAY_URL=http://127.0.0.1:9000")
    expect(commandsAt(DEFAULT_SERVER_URL)[0]).toBe("    assay push ./some-folder default/first")
  })
})
