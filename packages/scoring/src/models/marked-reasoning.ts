import { readReasoningSettings } from "./reasoning-settings.ts"
import { removeMarkedReasoning } from "./remove-marked-reasoning.ts"

/** Reasoning in answers: the settings of a model that say how it is marked, and its removal. */
export const markedReasoning = Object.freeze({ readSettings: readReasoningSettings, remove: removeMarkedReasoning })
