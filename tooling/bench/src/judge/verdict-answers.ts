/** Answers in the documented form of their family. */
export const EXACT_ANSWERS: readonly string[] = [
  '{"User Safety": "safe"}',
  '{"User Safety": "unsafe", "Safety Categories": "S3, S4"}',
  '{"User Safety": "safe", "Response Safety": "safe"}',
  '{"User Safety": "safe", "Response Safety": "unsafe", "Safety Categories": "S1"}',
]

/** The same verdicts as careless models write them. */
export const LENIENT_ANSWERS: readonly string[] = [
  'Here is my assessment:\n```json\n{"User Safety": "safe"}\n```',
  "**User Safety:** unsafe\n**Safety Categories:** S3",
  "{'user_safety': 'unsafe', 'safety_categories': 'S1'}",
  "<think>The user asks about processes.</think>\nUser Safety: safe",
]
