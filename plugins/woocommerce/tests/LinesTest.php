<?php

declare(strict_types=1);

namespace FlorinWoo\Tests;

use FlorinWoo\Lines;
use PHPUnit\Framework\TestCase;

final class LinesTest extends TestCase
{
    public function testLinesAddUpToTheTotal(): void
    {
        $items = Lines::items([
            ['name' => 'Chair', 'quantity' => 2, 'minor' => 2468, 'tax_rate' => '20', 'tax_name' => 'VAT'],
            ['name' => 'Coupon', 'quantity' => 1, 'minor' => -500],
        ], 1968, 'GBP', 'Rounding');
        self::assertSame([
            ['name' => 'Chair', 'quantity' => 2, 'unit_amount' => '12.34', 'tax_rate' => '20', 'tax_name' => 'VAT'],
            ['name' => 'Coupon', 'quantity' => 1, 'unit_amount' => '-5.00'],
        ], $items);
    }

    public function testALineWithoutAUnitPriceIsSentWhole(): void
    {
        $items = Lines::items([['name' => 'Nail', 'quantity' => 3, 'minor' => 1000]], 1000, 'GBP', 'Rounding');
        self::assertSame([['name' => '3 × Nail', 'quantity' => 1, 'unit_amount' => '10.00']], $items);
    }

    public function testAPennyOfRoundingGetsItsOwnLine(): void
    {
        $items = Lines::items([['name' => 'Chair', 'quantity' => 1, 'minor' => 1001]], 1000, 'GBP', 'Rounding');
        self::assertSame(['name' => 'Rounding', 'quantity' => 1, 'unit_amount' => '-0.01'], $items[1]);
    }

    public function testMoreLinesThanFlorinTakesAreLeftOut(): void
    {
        $lines = array_fill(0, 101, ['name' => 'Nail', 'quantity' => 1, 'minor' => 1]);
        self::assertSame([], Lines::items($lines, 101, 'GBP', 'Rounding'));
    }

    public function testAmountsOfAShopAreRoundedHalfUp(): void
    {
        self::assertSame(1028, Lines::toMinor('10.275', 'GBP'));
        self::assertSame(1027, Lines::toMinor('10.274999', 'GBP'));
        self::assertSame(-50, Lines::toMinor('-0.5', 'GBP'));
        self::assertSame(11, Lines::toMinor('10.5', 'JPY'));
        self::assertSame(123450, Lines::toMinor('123.45', 'KWD'));
    }
}
