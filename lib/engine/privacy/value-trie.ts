/** Values to search for. One walk finds the longest of them that begins at a place: a radix trie, case-insensitive. */
export class ValueTrie {
  private readonly root = new Map<number, Node>();
  /** Of the last walk: characters in common with any value. */
  depth = 0;
  /** Of the last walk: length of the longest complete value; 0 if there is none. */
  whole = 0;
  /** Of the last walk: whether a value goes on where the walk ended. */
  goesOn = false;

  /** Takes time in the length of the prefix shared with existing values. */
  add(value: string): void {
    let next = this.root;
    let from = 0;
    for (;;) {
      const key = folded(value.charCodeAt(from));
      const node = next.get(key);
      if (!node) return void next.set(key, { value, from, to: value.length, next: new Map(), ends: true });
      const to = commonEnd(value, node.value, from, Math.min(node.to, value.length));
      if (to < node.to) split(node, to);
      if (to === value.length) {
        node.ends = true;
        return;
      }
      next = node.next;
      from = to;
    }
  }

  /** Walks from a place of the text as far as any value matches. */
  walk(text: string, at: number): void {
    let next = this.root;
    this.depth = 0;
    this.whole = 0;
    this.goesOn = next.size > 0;
    while (at + this.depth < text.length) {
      const node = next.get(folded(text.charCodeAt(at + this.depth)));
      if (!node) return;
      const end = Math.min(node.to, text.length - at);
      let { depth } = this;
      do depth++;
      while (depth < end && folded(text.charCodeAt(at + depth)) === folded(node.value.charCodeAt(depth)));
      this.depth = depth;
      this.goesOn = depth < node.to || node.next.size > 0;
      if (depth < node.to) return;
      if (node.ends) this.whole = depth;
      next = node.next;
    }
  }
}

/** A part shared by one or more values: the characters of `value` between two indexes. */
interface Node {
  value: string;
  from: number;
  to: number;
  next: Map<number, Node>;
  ends: boolean;
}

function split(node: Node, at: number): void {
  const rest = { ...node, from: at };
  node.to = at;
  node.ends = false;
  node.next = new Map([[folded(rest.value.charCodeAt(at)), rest]]);
}

function commonEnd(one: string, other: string, from: number, end: number): number {
  let at = from;
  while (at < end && folded(one.charCodeAt(at)) === folded(other.charCodeAt(at))) at++;
  return at;
}

/** By code unit; 0 if not computed yet. */
const FOLDED = new Uint16Array(65_536);

/** Case folding of one code unit. */
function folded(unit: number): number {
  return FOLDED[unit] || fold(unit);
}

function fold(unit: number): number {
  const letter = String.fromCharCode(unit);
  const upper = letter.toUpperCase();
  const lower = (upper.length === 1 ? upper : letter).toLowerCase();
  const code = lower.length === 1 ? lower.charCodeAt(0) : unit;
  FOLDED[unit] = code;
  return code;
}
