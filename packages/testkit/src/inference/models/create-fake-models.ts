import type { FakeModel } from "../fake-model.ts"
import { createBadlyModel } from "./badly-model.ts"
import { chatModel, echoModel } from "./chat-models.ts"
import { contentSafetyModel } from "./content-safety-model.ts"
import { ramblerModel } from "./rambler-model.ts"
import { selfCheckModel } from "./self-check-model.ts"
import { smallJudgeModel } from "./small-judge-model.ts"

/** Models for every need of a judge and of those who try one out. */
export function createFakeModels(): Readonly<Record<string, FakeModel>> {
  return {
    "content-safety": contentSafetyModel,
    "small-judge": smallJudgeModel,
    "self-check": selfCheckModel,
    rambler: ramblerModel,
    badly: createBadlyModel(),
    echo: echoModel,
    chat: chatModel,
  }
}
