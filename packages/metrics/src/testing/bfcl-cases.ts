/** Functions in the form of the Berkeley Function-Calling Leaderboard. */
export const BFCL_FUNCTIONS = [
  {
    name: "weather",
    parameters: {
      type: "dict",
      properties: { city: { type: "string" }, unit: { type: "string" } },
      required: ["city"],
    },
  },
  {
    name: "travel.book",
    parameters: {
      type: "dict",
      properties: {
        city: { type: "string" },
        nights: { type: "integer" },
        price: { type: "float" },
        breakfast: { type: "boolean" },
        guests: { type: "array", items: { type: "string" } },
        ages: { type: "array", items: { type: "integer" } },
        limits: { type: "array", items: { type: "float" } },
        room: { type: "dict" },
        stops: { type: "array", items: { type: "dict" } },
        day: { type: "tuple", items: { type: "integer" } },
        note: { type: "any" },
      },
      required: ["city"],
    },
  },
]

/**
 * Possible answers and calls of these functions, with the result of BFCL's `ast_checker` (v4, Python, Apache-2.0). Answers and arguments
 * are JSON, because 2 and 2.0 differ.
 */
export const BFCL_CASES: readonly {
  readonly id: string
  readonly answers: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly valid: boolean
}[] = [
  {
    id: "a text apart from case and punctuation",
    answers: '[{"weather": {"city": ["New York, NY"]}}]',
    calls: [{ name: "weather", arguments: '{"city": "new york ny"}' }],
    valid: true,
  },
  {
    id: "a text with a tab instead of a space",
    answers: '[{"weather": {"city": ["New York"]}}]',
    calls: [{ name: "weather", arguments: '{"city": "new\\tyork"}' }],
    valid: false,
  },
  {
    id: "an optional parameter that is left out",
    answers: '[{"weather": {"city": ["Rome"], "unit": ["", "C"]}}]',
    calls: [{ name: "weather", arguments: '{"city": "Rome"}' }],
    valid: true,
  },
  {
    id: "a parameter that may not be left out",
    answers: '[{"weather": {"city": ["Rome"], "unit": ["C"]}}]',
    calls: [{ name: "weather", arguments: '{"city": "Rome"}' }],
    valid: false,
  },
  {
    id: "a missing required parameter",
    answers: '[{"weather": {"city": ["Rome", ""]}}]',
    calls: [{ name: "weather", arguments: '{"unit": "C"}' }],
    valid: false,
  },
  {
    id: "an unexpected parameter",
    answers: '[{"weather": {"city": ["Rome"]}}]',
    calls: [{ name: "weather", arguments: '{"city": "Rome", "days": 1}' }],
    valid: false,
  },
  {
    id: "another function",
    answers: '[{"weather": {"city": ["Rome"]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome"}' }],
    valid: false,
  },
  { id: "no call", answers: '[{"weather": {"city": ["Rome"]}}]', calls: [], valid: false },
  {
    id: "two calls instead of one",
    answers: '[{"weather": {"city": ["Rome"]}}]',
    calls: [
      { name: "weather", arguments: '{"city": "Rome"}' },
      { name: "weather", arguments: '{"city": "Rome"}' },
    ],
    valid: false,
  },
  {
    id: "an integer for a float",
    answers: '[{"travel.book": {"city": ["Rome"], "price": [80.0]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "price": 80}' }],
    valid: true,
  },
  {
    id: "a float for an integer",
    answers: '[{"travel.book": {"city": ["Rome"], "nights": [2]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "nights": 2.0}' }],
    valid: false,
  },
  {
    id: "a boolean for an integer",
    answers: '[{"travel.book": {"city": ["Rome"], "nights": [1]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "nights": true}' }],
    valid: false,
  },
  {
    id: "an integer for a boolean",
    answers: '[{"travel.book": {"city": ["Rome"], "breakfast": [true]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "breakfast": 1}' }],
    valid: false,
  },
  {
    id: "a boolean",
    answers: '[{"travel.book": {"city": ["Rome"], "breakfast": [false]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "breakfast": false}' }],
    valid: true,
  },
  {
    id: "a variable for an integer",
    answers: '[{"travel.book": {"city": ["Rome"], "nights": ["stay"]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "nights": "stay"}' }],
    valid: true,
  },
  {
    id: "a variable in upper case",
    answers: '[{"travel.book": {"city": ["Rome"], "nights": ["stay"]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "nights": "Stay"}' }],
    valid: false,
  },
  {
    id: "a list of texts",
    answers: '[{"travel.book": {"city": ["Rome"], "guests": [["Ann Lee", "Bo"]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "guests": ["ann-lee", "bo"]}' }],
    valid: true,
  },
  {
    id: "a list in another order",
    answers: '[{"travel.book": {"city": ["Rome"], "guests": [["Ann", "Bo"]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "guests": ["Bo", "Ann"]}' }],
    valid: false,
  },
  {
    id: "a list of other items",
    answers: '[{"travel.book": {"city": ["Rome"], "ages": [[3, 5]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "ages": [3, "5"]}' }],
    valid: false,
  },
  {
    id: "integers in a list of floats",
    answers: '[{"travel.book": {"city": ["Rome"], "limits": [[1.5, 2.0]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "limits": [1.5, 2]}' }],
    valid: false,
  },
  {
    id: "integers in a list of floats with integer answers",
    answers: '[{"travel.book": {"city": ["Rome"], "limits": [[1, 2]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "limits": [1, 2]}' }],
    valid: true,
  },
  {
    id: "whole floats in a list of floats",
    answers: '[{"travel.book": {"city": ["Rome"], "limits": [[1.0, 2.0]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "limits": [1, 2]}' }],
    valid: false,
  },
  {
    id: "an empty list for an optional one",
    answers: '[{"travel.book": {"city": ["Rome"], "guests": ["", ["Ann"]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "guests": []}' }],
    valid: true,
  },
  {
    id: "a variable in a list of integers",
    answers: '[{"travel.book": {"city": ["Rome"], "ages": [["age", 3]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "ages": ["age", 3]}' }],
    valid: true,
  },
  {
    id: "a tuple",
    answers: '[{"travel.book": {"city": ["Rome"], "day": [[2024, 5, 1]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "day": [2024, 5, 1]}' }],
    valid: true,
  },
  {
    id: "a dict with a missing optional key",
    answers: '[{"travel.book": {"city": ["Rome"], "room": [{"kind": ["Double Room", "twin"], "floor": [2, ""]}]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "room": {"kind": "double_room"}}' }],
    valid: true,
  },
  {
    id: "a dict with an unexpected key",
    answers: '[{"travel.book": {"city": ["Rome"], "room": [{"kind": ["twin"]}]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "room": {"kind": "twin", "sea": true}}' }],
    valid: false,
  },
  {
    id: "a dict with a missing key",
    answers: '[{"travel.book": {"city": ["Rome"], "room": [{"kind": ["twin"], "floor": [2]}]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "room": {"kind": "twin"}}' }],
    valid: false,
  },
  {
    id: "a dict with an equal number of another type",
    answers: '[{"travel.book": {"city": ["Rome"], "room": [{"floor": [2]}]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "room": {"floor": 2.0}}' }],
    valid: true,
  },
  {
    id: "a list of dicts",
    answers: '[{"travel.book": {"city": ["Rome"], "stops": [[{"at": ["Pisa"]}, {"at": ["Siena", ""]}]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "stops": [{"at": "pisa"}, {}]}' }],
    valid: true,
  },
  {
    id: "a list of dicts in another order",
    answers: '[{"travel.book": {"city": ["Rome"], "stops": [[{"at": ["Pisa"]}, {"at": ["Siena"]}]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "stops": [{"at": "Siena"}, {"at": "Pisa"}]}' }],
    valid: false,
  },
  {
    id: "a list of too few dicts",
    answers: '[{"travel.book": {"city": ["Rome"], "stops": [[{"at": ["Pisa"]}, {"at": ["Siena"]}]]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "stops": [{"at": "Pisa"}]}' }],
    valid: false,
  },
  {
    id: "a null",
    answers: '[{"travel.book": {"city": ["Rome"], "note": ["x"]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "note": null}' }],
    valid: false,
  },
  {
    id: "a number for a parameter of any type",
    answers: '[{"travel.book": {"city": ["Rome"], "note": [5]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "note": 5}' }],
    valid: true,
  },
  {
    id: "parallel calls in another order",
    answers: '[{"weather": {"city": ["Rome"]}}, {"weather": {"city": ["Oslo"]}}, {"travel.book": {"city": ["Oslo"]}}]',
    calls: [
      { name: "travel.book", arguments: '{"city": "Oslo"}' },
      { name: "weather", arguments: '{"city": "oslo"}' },
      { name: "weather", arguments: '{"city": "rome"}' },
    ],
    valid: true,
  },
  {
    id: "parallel calls of which the first takes the only call for the second",
    answers: '[{"weather": {"city": ["Rome", "Oslo"]}}, {"weather": {"city": ["Oslo"]}}]',
    calls: [
      { name: "weather", arguments: '{"city": "Oslo"}' },
      { name: "weather", arguments: '{"city": "Rome"}' },
    ],
    valid: false,
  },
  {
    id: "parallel calls of which one is made twice",
    answers: '[{"weather": {"city": ["Rome"]}}, {"weather": {"city": ["Oslo"]}}]',
    calls: [
      { name: "weather", arguments: '{"city": "Rome"}' },
      { name: "weather", arguments: '{"city": "Rome"}' },
    ],
    valid: false,
  },
  {
    id: "an integer that only differs in its last digit",
    answers: '[{"travel.book": {"city": ["Rome"], "nights": [12345678901234567890]}}]',
    calls: [{ name: "travel.book", arguments: '{"city": "Rome", "nights": 12345678901234567891}' }],
    valid: false,
  },
]
