// The figures of one currency and a plot. The sums come from the API. Nothing is added up here.

import type { OperationResponse } from '../../api/call.ts';
import { hoursAhead } from '../../base/days.ts';
import {
  formatCurrencyName,
  formatMoney,
  formatShare,
  formatShortMoney,
  formatSlot,
} from '../../base/format.ts';
import { useLanguage } from '../../base/language.tsx';
import { Section } from '../../parts/page.tsx';
import { Plot, type PlotSlot } from '../../parts/plot.tsx';
import { Money } from '../../parts/values.tsx';
import { useCommonTexts } from '../../texts/common.ts';
import { useOverviewTexts } from './texts.ts';

export type Days = 1 | 7 | 30;
type CurrencyOverview = OperationResponse<'getOverview'>['currencies'][number];

const tickEvery: Record<Days, number> = { 1: 6, 7: 1, 30: 7 };

const tickForms = { 1: 'hour', 7: 'weekday', 30: 'monthDay' } as const;

function useSlots({ series, currency }: CurrencyOverview, days: Days): PlotSlot[] {
  const { language } = useLanguage();
  const { figures } = useOverviewTexts();
  const nameOf = (at: string) =>
    days === 1
      ? figures.from({ time: formatSlot(language, at, 'hour') })
      : formatSlot(language, at, 'wholeDay');
  const slotAt = (at: string, amount: number, count: number): PlotSlot => ({
    ...{ amount, count },
    name: nameOf(at),
    tick: formatSlot(language, at, tickForms[days]),
    amountText: formatMoney(language, amount, currency),
    countText: figures.createdIn({ count }),
  });
  const past = series.map(({ at, paidAmount, createdCount }) => slotAt(at, paidAmount, createdCount));
  if (days !== 1) return past;
  const future = hoursAhead(series.map(({ at }) => at));
  return [...past, ...future.map((at) => ({ ...slotAt(at, 0, 0), isFuture: true }))];
}

function Sums({ of }: { of: CurrencyOverview }) {
  const { language } = useLanguage();
  const { figures } = useOverviewTexts();
  const { none, payment: names } = useCommonTexts();
  const { currency, paid, refunded, open, failed, converted, created, conversion } = of;
  const money = (amount: number) => <Money amount={amount} currency={currency} />;
  const sums = [
    [names.paid, money(paid.amount), figures.payments(paid)],
    [names.refunded, money(refunded.amount), figures.refunds(refunded)],
    [names.open, money(open.amount), figures.links(open)],
    [names.failed, money(failed.amount), figures.links(failed)],
    [
      figures.conversion,
      conversion === null ? none : formatShare(language, conversion),
      figures.converted({ paid: converted.count, created: created.count }),
    ],
  ] as const;
  return (
    <dl class="sums">
      {sums.map(([name, value, about]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <span class="sum number">{value}</span>
            <span class="quiet small">{about}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

export function Figures({ of, days }: { of: CurrencyOverview; days: Days }) {
  const { language } = useLanguage();
  const { figures } = useOverviewTexts();
  const { payment: names } = useCommonTexts();
  const { currency, paid, created } = of;
  const name = formatCurrencyName(language, currency);
  return (
    <Section title={`${name} (${currency})`}>
      <Sums of={of} />
      <Plot
        summary={figures.summary({
          currency: name,
          paid: formatMoney(language, paid.amount, currency),
          created: created.count,
        })}
        slotsName={days === 1 ? figures.hour : figures.day}
        amountName={names.paid}
        countName={figures.created}
        slots={useSlots(of, days)}
        tickEvery={tickEvery[days]}
        writeShort={(amount) => formatShortMoney(language, amount, currency)}
      />
    </Section>
  );
}
