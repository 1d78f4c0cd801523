<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Money;

/** What an order is for, line by line, as Florin takes it: prices with tax that add up to the total. */
final class Lines
{
    private const COUNT_MAX = 100;
    private const NAME_MAX = 255;

    /**
     * @param list<array{name: string, quantity: int, minor: int, tax_rate?: string, tax_name?: string}> $lines `minor` is the whole line with tax
     * @return list<array<string, mixed>> empty when there are too many to send
     */
    public static function items(array $lines, int $totalMinor, string $currency, string $roundingName): array
    {
        $sum = array_sum(array_column($lines, 'minor'));
        if ($sum !== $totalMinor) {
            // Shops that round tax per line differ from the total by a penny or two.
            $lines[] = ['name' => $roundingName, 'quantity' => 1, 'minor' => $totalMinor - $sum];
        }
        if (count($lines) > self::COUNT_MAX) {
            return [];
        }

        return array_map(static fn (array $line): array => self::item($line, $currency), $lines);
    }

    /**
     * @param array{name: string, quantity: int, minor: int, tax_rate?: string, tax_name?: string} $line
     * @return array<string, mixed>
     */
    private static function item(array $line, string $currency): array
    {
        ['name' => $name, 'quantity' => $quantity, 'minor' => $minor] = $line;
        // Three for £10.00 have no price of one.
        $hasUnitPrice = $quantity > 0 && $minor % $quantity === 0;
        $unit = $hasUnitPrice ? intdiv($minor, $quantity) : $minor;
        $shown = $hasUnitPrice ? $name : "$quantity × $name";

        return [
            'name' => mb_substr(trim($shown) === '' ? '–' : $shown, 0, self::NAME_MAX),
            'quantity' => $hasUnitPrice ? $quantity : 1,
            'unit_amount' => ($unit < 0 ? '-' : '') . Money::toDecimal(abs($unit), $currency),
        ] + array_intersect_key($line, ['tax_rate' => 1, 'tax_name' => 1]);
    }

    /** A shop's decimal text, which may have more decimals than the currency, as minor units: rounded half up, without floats. */
    public static function toMinor(string $decimal, string $currency): int
    {
        if (preg_match('/^(-?)(\d+)(?:\.(\d*))?$/', trim($decimal), $parts) !== 1) {
            throw new \InvalidArgumentException("$decimal is not an amount");
        }
        $decimals = Money::decimals($currency);
        $fraction = str_pad($parts[3] ?? '', $decimals + 1, '0');
        $minor = (int) ($parts[2] . substr($fraction, 0, $decimals)) + ($fraction[$decimals] >= '5' ? 1 : 0);

        return $parts[1] === '-' ? -$minor : $minor;
    }
}
