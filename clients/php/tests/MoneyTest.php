<?php

declare(strict_types=1);

namespace Florin\Tests;

use Florin\Money;
use InvalidArgumentException;
use PHPUnit\Framework\TestCase;

final class MoneyTest extends TestCase
{
    public function testMinorUnitsBecomeDecimalText(): void
    {
        self::assertSame('10.50', Money::toDecimal(1050, 'GBP'));
        self::assertSame('0.05', Money::toDecimal(5, 'gbp'));
        self::assertSame('100', Money::toDecimal(100, 'JPY'));
        self::assertSame('123.456', Money::toDecimal(123456, 'KWD'));
    }

    public function testDecimalTextBecomesMinorUnits(): void
    {
        self::assertSame(1050, Money::toMinor('10.5', 'GBP'));
        self::assertSame(123450, Money::toMinor('1,234.5000', 'GBP'));
        self::assertSame(100, Money::toMinor('100.00', 'JPY'));
    }

    public function testMoreDecimalsThanTheCurrencyHasAreRefused(): void
    {
        $this->expectException(InvalidArgumentException::class);
        Money::toMinor('10.505', 'GBP');
    }

    public function testAnAmountInMinorUnitsBecomesText(): void
    {
        $fields = Money::withAmount(['amount_minor' => 1050, 'currency' => 'GBP'], 'GBP');
        self::assertSame(['currency' => 'GBP', 'amount' => '10.50'], $fields);
        $this->expectException(InvalidArgumentException::class);
        Money::withAmount(['amount_minor' => 10.5], 'GBP');
    }
}
