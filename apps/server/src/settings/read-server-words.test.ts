import { describe, expect, it } from "vitest"
import { readServerWords } from "./read-server-words.ts"

describe("readServerWords", () => {
  it("reads the options of `assay serve` as settings, also after an equals sign", () => {
    expect(readServerWords(["--port", "9000", "--host=::1", "--data-dir", "/srv/assay"])).toEqual({
      help: false,
      env: { PORT: "9000", HOST: "::1", ASSAY_DATA_DIR: "/srv/assay" },
    })
    expect(readServerWords([])).toEqual({ help: false, env: {} })
    expect(readServerWords(["-h"]).help).toBe(true)
  })

  it.each([[["--prot", "9000"]], [["9000"]], [["--port"]], [["--help=no"]]])(
    "refuses %j, and says what is allowed",
    (words) => {
      expect(() => readServerWords(words)).toThrow(/Usage: npm start -- \[--host <address>\] \[--port <number>\]/)
    },
  )
})
