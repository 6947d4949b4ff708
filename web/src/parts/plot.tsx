// Amounts over time as bars, and below them counts: as an image, and the same figures as a table for screen readers.
// Must not show a figure that is not in the table.

import { useState } from 'preact/hooks';
import { formatCount } from '../base/format.ts';
import { useLanguage } from '../base/language.tsx';
import { useCommonTexts } from '../texts/common.ts';
import './plot.css';
import { roundTop } from './plot-scale.ts';
import { Table } from './table.tsx';

export type PlotSlot = {
  name: string;
  tick: string;
  amount: number;
  amountText: string;
  count: number;
  countText: string;
  /** Whether it is in the future: it has a place on the axis, and no bar. */
  isFuture?: boolean;
};

type PlotProps = {
  /** A sentence that describes the plot in words. */
  summary: string;
  slotsName: string;
  amountName: string;
  countName: string;
  slots: readonly PlotSlot[];
  tickEvery: number;
  writeShort(amount: number): string;
};

// Pixels, from the top: bars, a gap, the counts, the names of the slots.
const [barsEnd, countsTop, countsEnd, height] = [152, 164, 188, 212] as const;
const barsTop = 8;
/** The share of its slot that a bar takes. */
const share = 0.64;

type DrawnSlot = { slot: PlotSlot; index: number; count: number };

const percent = (part: number) => `${part * 100}%`;

function Bar({ drawn, top, kind }: { drawn: DrawnSlot; top: number; kind: 'amount' | 'count' }) {
  const { slot, index, count } = drawn;
  const [from, to] = kind === 'amount' ? [barsTop, barsEnd] : [countsTop, countsEnd];
  const value = slot[kind];
  if (value <= 0) return null;
  // Small values stay visible.
  const size = Math.max(2, (value / top) * (to - from));
  return (
    <rect
      class={`plot-${kind}`}
      x={percent((index + (1 - share) / 2) / count)}
      width={percent(share / count)}
      y={to - size}
      height={size}
      rx={1.5}
    />
  );
}

function Picture(props: {
  slots: readonly PlotSlot[];
  tops: readonly [amount: number, count: number];
  tickEvery: number;
  summary: string;
  /** Whether there is any amount: lines without figures have no meaning. */
  hasScale: boolean;
  at: number | null;
  onPoint(index: number | null): void;
}) {
  const { slots, tops, tickEvery, summary, hasScale, at, onPoint } = props;
  const scale = hasScale ? [barsTop, (barsTop + barsEnd) / 2] : [];
  const count = slots.length;
  const point = (event: PointerEvent) => {
    const { left, width } = (event.currentTarget as Element).getBoundingClientRect();
    onPoint(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))));
  };
  return (
    <svg
      class="plot-picture"
      height={height}
      role="img"
      aria-label={summary}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(null)}
    >
      {at !== null && (
        <rect class="plot-here" x={percent(at / count)} width={percent(1 / count)} height={countsEnd} />
      )}
      {[...scale, barsEnd, countsEnd].map((y) => (
        <line key={y} class="plot-line" x1="0" x2="100%" y1={y} y2={y} />
      ))}
      {slots.map((slot, index) => (
        <g key={slot.name}>
          <Bar drawn={{ slot, index, count }} top={tops[0]} kind="amount" />
          <Bar drawn={{ slot, index, count }} top={tops[1]} kind="count" />
          {index % tickEvery === 0 && (
            <text class="plot-tick" x={percent((index + 0.5) / count)} y={height - 6}>
              {slot.tick}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

function Figures({ slots, ...names }: Pick<PlotProps, 'slots' | 'slotsName' | 'amountName' | 'countName'>) {
  const texts = useCommonTexts();
  const { language } = useLanguage();
  return (
    <details class="plot-table">
      <summary>{texts.asTable}</summary>
      <Table
        caption={`${names.amountName}, ${names.countName}`}
        rows={slots}
        keyOf={({ name }) => name}
        columns={[
          { id: 'slot', title: names.slotsName, cell: ({ name }) => name },
          { id: 'amount', title: names.amountName, cell: ({ amountText }) => amountText, isNumber: true },
          {
            id: 'count',
            title: names.countName,
            cell: ({ count }) => formatCount(language, count),
            isNumber: true,
          },
        ]}
      />
    </details>
  );
}

/** Bars over time. Pointing at a slot shows its figures; without pointing, those of the last slot that has begun. */
export function Plot({ slots, summary, tickEvery, writeShort, ...names }: PlotProps) {
  const [at, setAt] = useState<number | null>(null);
  const past = slots.filter(({ isFuture }) => !isFuture);
  const shown = (at === null ? undefined : past[at]) ?? past.at(-1);
  const largest = Math.max(...past.map(({ amount }) => amount));
  const tops = [roundTop(largest), roundTop(Math.max(...past.map(({ count }) => count)))] as const;
  return (
    <figure class="stack-small plot">
      <figcaption class="row small">
        <span>
          <span class="plot-key plot-key-amount" aria-hidden="true" /> {names.amountName}
        </span>
        <span>
          <span class="plot-key plot-key-count" aria-hidden="true" /> {names.countName}
        </span>
        {shown && (
          <span class="plot-shown quiet">
            {shown.name}: <span class="money">{shown.amountText}</span> · {shown.countText}
          </span>
        )}
      </figcaption>
      <div class="plot-frame">
        <div class="plot-scale" aria-hidden="true">
          {[tops[0], tops[0] / 2, 0].map((value) => (
            <span key={value}>{value === 0 || largest > 0 ? writeShort(value) : ''}</span>
          ))}
        </div>
        <Picture {...{ slots, tops, tickEvery, summary, at }} hasScale={largest > 0} onPoint={setAt} />
      </div>
      <Figures slots={past} {...names} />
    </figure>
  );
}
