import * as fc from "fast-check"
import { runBounded, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { removeSecrets } from "./remove-secrets.ts"

const LETTERS = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/)
/** Texts that look like a secret, as they occur in logs. */
const SHAPES = LETTERS.chain((letters) =>
  fc.constantFrom(
    { text: `Authorization: Bearer ${letters}`, secret: letters },
    { text: `"authorization":"Basic ${letters}=="`, secret: letters },
    { text: `Incorrect API key provided: sk-${letters}.`, secret: letters },
    { text: `sk-proj-${letters}_${letters}`, secret: letters },
    { text: `key nvapi-${letters}`, secret: letters },
    { text: `token=hf_${letters}&a=b`, secret: letters },
    { text: `AIza${letters}`, secret: letters },
    { text: `AKIA${letters.toUpperCase()}`, secret: letters.toUpperCase() },
    { text: `https://s3/b?X-Amz-Signature=${letters}&x=1`, secret: letters },
    { text: `https://ann:${letters}@host/v1`, secret: letters },
    { text: `{"api_key": "${letters}"}`, secret: letters },
  ),
)

describe("secrets", () => {
  it("are removed by their form in any text", verifies("inference.key-hidden"), () => {
    fc.assert(
      fc.property(fc.string(), SHAPES, fc.string(), (before, { text, secret }, after) => {
        expect(removeSecrets(`${before} ${text} ${after}`)).not.toContain(secret)
      }),
    )
  })

  it(
    "that are given are removed as they are and in the spelling of URLs and JSON",
    verifies("inference.key-hidden"),
    () => {
      fc.assert(
        fc.property(fc.string({ minLength: 6 }), fc.string(), (secret, around) => {
          // A secret that consists of the replacement characters can't be distinguished from them.
          fc.pre(!/^\**$/.test(secret) && !"***".includes(secret))
          for (const one of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
            expect(removeSecrets(`${around}<${one}>${around}`, [secret])).not.toContain(`<${one}>`)
          }
        }),
      )
    },
  )

  it("that the server has masked partly are removed too", () => {
    expect(removeSecrets("Incorrect API key provided: sk-abc1*****wxyz.")).toBe("Incorrect API key provided: ***.")
  })

  it("are not confused with other texts", () => {
    const text =
      "The model `llama-3.1` at https://h:8000/v1 takes 4096 tokens; ask ann@example.org about task-12345678."
    expect(removeSecrets(text, ["x"])).toBe(text)
  })

  it("are removed in linear time", () => {
    const hostile = ["sk-", "://a", "bearer ", "api-key=", "x-amz-signature:", "AKIA", "hf_"]
    for (const part of hostile) runBounded(() => removeSecrets(part.repeat(50_000)))
  })
})
