<?php

declare(strict_types=1);

use Florin\Result\Payment;
use FlorinWoo\Charge;
use PHPUnit\Framework\TestCase;

final class ChargeTest extends TestCase
{
    /** @dataProvider answers */
    public function testTellsWhatCameOfACharge(string $status, ?string $failure, ?string $url, string $expected): void
    {
        $data = ['status' => $status] + ($failure === null ? [] : ['failure' => ['code' => $failure]]) + ($url === null ? [] : ['checkout_url' => $url]);
        self::assertSame($expected, Charge::outcome(Payment::from($data)));
    }

    /** @return list<array{string, ?string, ?string, string}> */
    public static function answers(): array
    {
        return [
            ['success', null, null, Charge::PAID],
            ['reversed', null, null, Charge::PAID],
            ['pending', null, 'https://pay.example.com/payment/1', Charge::WAITS],
            ['pending', 'needs_customer', 'https://pay.example.com/payment/1', Charge::NEEDS_CUSTOMER],
            ['pending', 'needs_customer', null, Charge::WAITS],
            ['failed', 'declined', null, Charge::DECLINED],
            ['failed', 'network_silent', null, Charge::DECLINED],
            ['failed', 'method_ended', null, Charge::ENDED],
            ['cancelled', null, null, Charge::DECLINED],
        ];
    }

    public function testReadsTheExpiryOfACard(): void
    {
        self::assertSame(['08', '2029'], Charge::expiry('2029-08'));
        self::assertNull(Charge::expiry(null));
        self::assertNull(Charge::expiry('08/29'));
    }

    public function testNamesACustomerOfTheShop(): void
    {
        self::assertSame('wooabc-customer-7', Charge::customerRef('wooabc', 7));
    }
}
