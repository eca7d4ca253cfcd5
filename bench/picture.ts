/** One figure of a thread that grows. */
export type Point = {
  readonly turn: number;
  readonly megabytes: number;
  /** CPU milliseconds. */
  readonly resume: number;
};

/** The figures of one checkpointer, as its thread grows. */
export type Curve = { readonly name: string; readonly points: readonly Point[] };

type Coloured = Curve & { readonly colour: string };

type Panel = {
  readonly title: string;
  readonly valueOf: (point: Point) => number;
  readonly curves: readonly Coloured[];
};

const width = 460;
const height = 330;
const margin = { left: 62, right: 26, top: 40, bottom: 44 };
const bottom = height - margin.bottom;
const right = width - margin.right;
const colours = [
  "#5b6770",
  "#0f766e",
  "#b45309",
  "#7c3aed",
  "#b91c1c",
  "#1d4ed8",
  "#a16207",
  "#be185d",
];
const keysInARow = 3;

/** Draws how storage and the time of a resume grow, as an SVG; both axes are logarithmic, so a straight growth is a straight line. */
export function pictureOf(all: readonly Curve[]): string {
  const curves = all.map((curve, index) => ({
    ...curve,
    colour: colours[index % colours.length] ?? "#000000",
  }));
  const stored = curves.filter(({ points }) => points.some(({ megabytes }) => megabytes > 0));
  const panels = [
    panelOf({
      title: "checkpoints on disk, MB",
      valueOf: ({ megabytes }) => megabytes,
      curves: stored,
    }),
    panelOf({ title: "resume, CPU ms", valueOf: ({ resume }) => resume, curves }),
  ];
  const keys = curves.map(({ name, colour }, index) => {
    const x = 16 + (index % keysInARow) * 305;
    const y = height + 20 + Math.floor(index / keysInARow) * 22;
    return `<g transform="translate(${x} ${y})"><rect width="18" height="4" y="4" fill="${colour}"/><text x="26" y="11">${escaped(name)}</text></g>`;
  });
  const total = height + 40 + Math.ceil(curves.length / keysInARow) * 22;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${2 * width} ${total}" font-family="system-ui, sans-serif" font-size="13" fill="#1f2933">
<rect width="100%" height="100%" fill="#ffffff"/>
${panels.map((panel, index) => `<g transform="translate(${index * width} 0)">${panel}</g>`).join("\n")}
${keys.join("\n")}
</svg>
`;
}

function panelOf({ title, valueOf, curves }: Panel): string {
  const points = curves.flatMap((curve) => curve.points);
  const x = scale(
    points.map(({ turn }) => turn),
    { from: margin.left, to: right },
  );
  const y = scale(points.map(valueOf), { from: bottom, to: margin.top });
  const columns = x.ticks.map(
    (tick) =>
      `<line x1="${x.at(tick)}" x2="${x.at(tick)}" y1="${margin.top}" y2="${bottom}" stroke="#e4e7eb"/>` +
      `<text x="${x.at(tick)}" y="${bottom + 18}" text-anchor="middle">${tick.toLocaleString("en")}</text>`,
  );
  const rows = y.ticks.map(
    (tick) =>
      `<line x1="${margin.left}" x2="${right}" y1="${y.at(tick)}" y2="${y.at(tick)}" stroke="#e4e7eb"/>` +
      `<text x="${margin.left - 8}" y="${y.at(tick) + 4}" text-anchor="end">${tick.toLocaleString("en")}</text>`,
  );
  const lines = curves.map(({ points: own, colour }) => {
    const places = own.map((point) => `${x.at(point.turn)},${y.at(valueOf(point))}`);
    return `<polyline points="${places.join(" ")}" fill="none" stroke="${colour}" stroke-width="2.5"/>`;
  });
  const middle = (margin.left + right) / 2;
  return [
    `<text x="${margin.left}" y="22" font-weight="600">${title}</text>`,
    ...columns,
    ...rows,
    ...lines,
    `<text x="${middle}" y="${height - 8}" text-anchor="middle">turns</text>`,
  ].join("");
}

/** A logarithmic axis over whole powers of ten. */
function scale(
  values: readonly number[],
  { from, to }: { readonly from: number; readonly to: number },
) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number): number =>
    Math.round((from + ((Math.log10(value) - low) / (high - low)) * (to - from)) * 10) / 10;
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { at, ticks };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
