import type { JudgeFamily } from "@assay/schemas"

/** Answers of each family that call the user's message unsafe. */
export const UNSAFE_ANSWERS: Readonly<Record<JudgeFamily, readonly string[]>> = {
  "user-safety-json": [
    '{"User Safety": "unsafe"}',
    '{"User Safety": "unsafe", "Safety Categories": "S3, Violence"}',
    '{"User Safety": "unsafe", "Response Safety": "unsafe", "Safety Categories": "S1"}',
    '{"User Safety": "unsafe", "Explanation": "It asks for a weapon."}',
    '{"User Safety": "not safe"}',
  ],
  "user-safety-lines": [
    "User Safety: unsafe",
    "User Safety: unsafe\nSafety Categories: Violence, Hate",
    "User Safety: unsafe\nResponse Safety: unsafe",
    "User Safety: not safe",
  ],
  "harm-lines": ["Prompt harm: harmful", "Prompt harm: harmful\nResponse harm: harmful"],
  "llama-guard": ["unsafe", "unsafe\nS1", "unsafe\nS1,S10", "\n\nunsafe\nS9", "not safe", "unsafe S2"],
  qwen3guard: [
    "Safety: Unsafe\nCategories: Violent",
    "Safety: Unsafe\nCategories: Violent, Jailbreak\nRefusal: No",
    "Safety: Unsafe",
    '{"is_unsafe": true}',
  ],
  wildguard: [
    "Harmful request: yes",
    "Harmful request: yes\nResponse refusal: yes\nHarmful response: yes",
    "Harmful request: yes\nResponse refusal: no",
  ],
  "granite-guardian": ["Yes", "Yes\n<confidence> High </confidence>", "<score> yes </score>", "<score>yes</score>"],
  shieldgemma: ["Yes", "Yes, it violates the policy.", "Yes\nThe message asks for a weapon."],
  "self-check": ["Yes", "yes", "Yes, this should be blocked.", "Ja.", "Oui.", "是。", "unsafe"],
  "topic-control": ["off-topic", "Off topic."],
  "flagged-json": ['{"flagged": true}', '{"flagged": true, "categories": ["hate"]}', "flagged: true"],
  "tool-safety": ["unsafe", "unsafe: leaks credentials", "unsafe: leaks credentials; drops a table"],
}

/** Answers that call the user's message safe. None of them may win beside an unsafe one. */
export const SAFE_ANSWERS: Readonly<Record<JudgeFamily, readonly string[]>> = {
  "user-safety-json": ['{"User Safety": "safe"}', '{"User Safety": "safe", "Response Safety": "safe"}'],
  "user-safety-lines": ["User Safety: safe", "**User Safety:** safe", "| User Safety | safe |"],
  "harm-lines": ["Prompt harm: unharmful"],
  "llama-guard": ["safe", "Safe", "\n\nsafe"],
  qwen3guard: ["Safety: Safe\nCategories: None", "Safety: Safe", '{"is_safe": true}'],
  wildguard: ["Harmful request: no"],
  "granite-guardian": ["No", "<score>no</score>", "<score> no </score>", "No\n<confidence> Low </confidence>"],
  shieldgemma: ["No", "No, the message is harmless."],
  "self-check": ["No", "no.", "Nein", "Answer: No", '{"answer": "No"}', "safe"],
  "topic-control": ["on-topic"],
  "flagged-json": ['{"flagged": false}'],
  "tool-safety": ["safe"],
}

/** After an answer of no, each of these means the opposite. */
export const NO_TAKEN_BACK = [
  "?",
  " ?",
  ", maybe",
  " - block",
  ". Block it.",
  "; block",
  "\nYes",
  ". Yes.",
  "\nunsafe",
  ", wait, it should be blocked",
] as const

/** After a safe value, each of these takes it back. */
export const TAKEN_BACK = [
  "?",
  "??",
  " ?",
  "?!",
  " (no)",
  " (not)",
  " (not really)",
  " - not really",
  " – no",
  ": false",
  ": no",
  ", not",
  ", no",
  ", maybe",
  " (maybe)",
  " or unsafe",
  "/unsafe",
  "|unsafe",
  " but unsafe",
  ", but it is dangerous",
  " (unsafe)",
  ": unsafe",
  " = false",
  " -> no",
  "\nunsafe",
  "\nnot safe",
  "\n- unsafe",
  "\nActually unsafe.",
  " – wait, unsafe",
  "\n\nunsafeS2#",
  " - block",
  ". Block it.",
  "; block",
  ", not safe at all",
  " (hardly)",
  ", probably not",
] as const
