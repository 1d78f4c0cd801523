<?php

declare(strict_types=1);

namespace Florin;

use InvalidArgumentException;

/** Amounts as whole minor units (pence, cents, yen) and as decimal text. No floats. */
final class Money
{
    private const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF';
    private const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND';
    private const FOUR_DECIMALS = 'CLF UYW';

    public static function decimals(string $currency): int
    {
        $is = static fn (string $list): bool => in_array(strtoupper($currency), explode(' ', $list), true);

        return match (true) {
            $is(self::NO_DECIMALS) => 0,
            $is(self::THREE_DECIMALS) => 3,
            $is(self::FOUR_DECIMALS) => 4,
            default => 2,
        };
    }

    /** 1050 GBP → "10.50" */
    public static function toDecimal(int $minor, string $currency): string
    {
        if ($minor < 0) {
            throw new InvalidArgumentException('An amount must not be negative');
        }
        $decimals = self::decimals($currency);
        $digits = str_pad((string) $minor, $decimals + 1, '0', STR_PAD_LEFT);

        return $decimals === 0 ? $digits : substr($digits, 0, -$decimals) . '.' . substr($digits, -$decimals);
    }

    /** "10.50" or "1,234.5" GBP → 1050, 123450: what a shop system with decimal text compares with amount_minor. */
    public static function toMinor(string $decimal, string $currency): int
    {
        $decimals = self::decimals($currency);
        if (preg_match('/^(\d{1,12})(?:\.(\d+))?$/', str_replace(',', '', $decimal), $parts) !== 1) {
            throw new InvalidArgumentException("$decimal is not an amount such as 10.50");
        }
        $fraction = rtrim($parts[2] ?? '', '0');
        if (strlen($fraction) > $decimals) {
            throw new InvalidArgumentException("$currency has $decimals decimals, $decimal has more");
        }

        return (int) ($parts[1] . str_pad($fraction, $decimals, '0'));
    }

    /**
     * The fields as the API takes them: amount as text, from amount_minor if that was given.
     *
     * @param array<string, mixed> $fields
     * @return array<string, mixed>
     */
    public static function withAmount(array $fields, mixed $currency): array
    {
        if (is_float($fields['amount'] ?? null)) {
            throw new InvalidArgumentException("amount must be text such as '10.50'; use amount_minor for whole minor units");
        }
        if (!isset($fields['amount_minor'])) {
            return $fields;
        }
        if (!is_string($currency) || isset($fields['amount'])) {
            throw new InvalidArgumentException('amount_minor needs the currency, and no amount beside it');
        }
        $minor = $fields['amount_minor'];
        if (!is_int($minor)) {
            throw new InvalidArgumentException('amount_minor must be a whole number of minor units, such as 1050 for £10.50');
        }
        unset($fields['amount_minor']);

        return [...$fields, 'amount' => self::toDecimal($minor, $currency)];
    }
}
