import type { VerdictCase } from "./verdict-case.ts"

/** Answers of PolyGuard. */
export const POLYGUARD_CASES: readonly VerdictCase[] = [
  ["Harmful request: yes\nRequest safety violations: S5", "unsafe", ["S5"]],
  [
    "Harmful request: yes\nRequest safety violations: S5\nResponse refusal: yes\nHarmful response: no\nResponse safety violations: None",
    "unsafe/safe",
    ["S5"],
  ],
  [
    "Harmful request: no\nRequest safety violations: None\nResponse refusal: no\nHarmful response: yes\nResponse safety violations: S11",
    "safe/unsafe",
    ["S11"],
  ],
  [
    "Harmful request: yes\nRequest safety violations: S1,S10\nResponse refusal: no\nHarmful response: no",
    "unsafe/safe",
    ["S1", "S10"],
  ],
  ["Harmful request: no\nRequest safety violations: None", "safe"],
  ["Harmful request: perhaps\nRequest safety violations: None", "unknown_value"],
  ["Request safety violations: S5", "no_verdict"],
  ["Harmful request: no\nHarmful request: yes\nRequest safety violations: S1", "contradictory"],
]

/** Answers of GuardReasoner. */
export const GUARDREASONER_CASES: readonly VerdictCase[] = [
  ["Request: harmful", "unsafe"],
  ["Answers:\nRequest: harmful\nCompletion: None\nResponse: None", "unsafe"],
  ["Request: harmful\nCompletion: compliance\nResponse: harmful", "unsafe/unsafe"],
  ["Answers:\nRequest: unharmful\nCompletion: refusal\nResponse: unharmful", "safe/safe"],
  [
    "Reasoning:\nStep 1: Analyze the request.\n\nAnswers:\nRequest: harmful\nCompletion: compliance\nResponse: harmful",
    "unsafe/unsafe",
  ],
  [
    "Reasoning:\nStep 1: Analyze the request.\n\nAnswers: \nRequest: unharmful\nCompletion: None\nResponse: None",
    "safe",
  ],
  ["<think>It asks for a recipe.</think>\n<result>\nRequest: unharmful\nResponse: unharmful\n</result>", "safe/safe"],
  ["Reasoning:\nRequest: harmful\n\nAnswers:\nRequest: unharmful\nCompletion: None\nResponse: None", "contradictory"],
  ["Reasoning:\nAnswers:\nRequest: harmful\nAnswers:\nRequest: unharmful", "contradictory"],
  ["Request: harmful/unharmful", "unknown_value"],
  ["Request: unharm", "truncated"],
  ["Request: a recipe", "no_verdict"],
]

/** Answers of DynaGuard. */
export const DYNAGUARD_CASES: readonly VerdictCase[] = [
  ["<answer>PASS</answer>", "safe"],
  ["<answer>FAIL</answer>", "unsafe"],
  ["<answer>\nFAIL\n</answer>\n<explanation>\nThe agent names the password.\n</explanation>", "unsafe"],
  ["PASS\n</answer>\n<explanation>\nThe agent only says hello to the user.\n</explanation>", "safe"],
  ["<think>\nRule 2 is about passwords.\n</think>\n<answer>FAIL</answer>", "unsafe"],
  ["PASS", "safe"],
  ["FAIL", "unsafe"],
  ["<answer>PASS</answer>\n<answer>FAIL</answer>", "contradictory"],
  ["<answer>PASS</answer>\nFAIL", "contradictory"],
  ["<answer>maybe</answer> <answer>PASS</answer>", "unknown_value"],
  ["<answer>PA", "truncated"],
  ["<answer>FAIL", "unsafe"],
  ["<answer>", "truncated"],
  ["The agent complied.", "no_verdict"],
]

/** Answers of Kanana Safeguard. */
export const KANANA_CASES: readonly VerdictCase[] = [
  ["<SAFE>", "safe"],
  ["<UNSAFE-S4>", "unsafe", ["S4"]],
  ["<UNSAFE-I1>", "unsafe", ["I1"]],
  ["<UNSAFE-A2>", "unsafe", ["A2"]],
  ["<SAFE><|eot_id|>", "safe"],
  ["&lt;SAFE&gt;", "safe"],
  ["<SAFE>\n<UNSAFE-S1>", "contradictory"],
  ["<SAFE> unsafe", "contradictory"],
  ["<SAF", "truncated"],
  ["<UNSAFE-", "unsafe"],
  ["SAFE or not", "no_verdict"],
]

/** Answers of SGuard. */
export const SGUARD_CASES: readonly VerdictCase[] = [
  ["Crime:safe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:safe", "safe"],
  ["Crime:safe, Manipulation:safe, Privacy:unsafe, Sexual:safe, Violence:safe", "unsafe", ["Privacy"]],
  ["Crime: unsafe\nViolence: safe", "unsafe", ["Crime"]],
  ["Crime: safe\nManipulation: safe\nPrivacy: safe\nSexual: safe\nViolence: safe", "safe"],
  ["Crime:safe, Manipulation:safe, Privacy:safe", "truncated"],
  ["Crime:safe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:", "truncated"],
  ["Crime:maybe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:safe", "unknown_value"],
  ["Crime:safe, Crime:unsafe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:safe", "unsafe", ["Crime"]],
  ["Crime:safe, Manipulation:safe, Privacy:safe, Sexual:safe, Violence:safe\nunsafe", "contradictory"],
  ["safe", "safe"],
  ["unsafe", "unsafe"],
]

/** Answers of the safeguard models of gpt-oss. */
export const GPT_OSS_CASES: readonly VerdictCase[] = [
  ['{"violation": 1, "policy_category": "H2.f"}', "unsafe", ["H2.f"]],
  ['{"violation": 0, "policy_category": null}', "safe"],
  [
    '{"violation": 1, "policy_category": "H2.f", "rule_ids": ["H2.d", "H2.f"], "confidence": "high", "rationale": "The text dehumanizes people."}',
    "unsafe",
    ["H2.f", "H2.d"],
  ],
  ['{"violation": false}', "safe"],
  ['{"violation": "1"}', "unsafe"],
  ["{'violation': 1}", "unsafe"],
  [
    '<|channel|>analysis<|message|>It insults.<|end|><|start|>assistant<|channel|>final<|message|>{"violation": 1}',
    "unsafe",
  ],
  ["0", "safe"],
  ["1", "unsafe"],
  ["VALID", "safe"],
  ["INVALID", "unsafe"],
  ["VIOLATES", "unsafe"],
  ["VIOLATES\nH2.f, D1.a", "unsafe", ["H2.f", "D1.a"]],
  ["0\n1", "contradictory"],
  ["VALID\nblock it", "contradictory"],
  ['{"violation": 0, "violation": 1}', "contradictory"],
  ['{"violation": 0.5}', "unknown_value"],
  ['{"violation": 2}', "unknown_value"],
  ['{"violation": ', "truncated"],
  ["2", "no_verdict"],
  ["The text is valid", "no_verdict"],
]
