import { setTimeout as sleep } from "node:timers/promises"
import { createInferenceClient } from "@assay/inference"
import { startFakeInference, verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { createRunner } from "../testing/create-runner.ts"
import { tinyPlan, tinyRows, tinySample } from "../testing/tiny-plan.ts"

it(
  "an endpoint that limits the rate gets fewer requests at a time, and every row is answered",
  verifies("run.parallelism"),
  async () => {
    const open: number[] = []
    const server = await startFakeInference({
      models: {
        chat() {
          open.push(server.countOpenAnswers())
          return sleep(2, { content: "right" })
        },
      },
    })
    const environment = {
      now: () => performance.now(),
      random: () => 0,
      sleep: (milliseconds: number, signal?: AbortSignal) => sleep(milliseconds / 50, undefined, { signal }),
    }
    const client = createInferenceClient({ url: server.url, model: "chat" }, environment)
    server.faults.add({ times: 10, fault: { kind: "condition", condition: "rate-limited" } })
    const plan = tinyPlan({
      rows: tinyRows(40),
      parallelism: 10,
      ask: {
        kind: "call",
        async call({ question }, options) {
          const { text } = await client.complete({ messages: [{ role: "user", content: String(question) }] }, options)
          return tinySample(text ?? "")
        },
      },
    })
    try {
      const { end, progress, log } = await createRunner()(plan, { environment })
      expect(end).toEqual({ kind: "finished" })
      expect(progress).toMatchObject({ processed: 40, failed: 0, means: { "qa.right.right": 1 } })
      expect(log).toContain("Task qa: the endpoint limits the rate; 5 instead of 10 requests may be in flight.")
      expect(Math.max(...open.slice(12, 25))).toBeLessThan(10)
      expect(server.requests).toHaveLength(50)
    } finally {
      await client.close()
      await server.close()
    }
  },
)
