<?php

declare(strict_types=1);

use FlorinWoo\Input;
use PHPUnit\Framework\TestCase;

final class InputTest extends TestCase
{
    private const KEY = 'sk_test_0123456789abcdefABCDEF0123456789abcdef';

    /** @dataProvider addresses */
    public function testAnAddressIsTakenAsOwnersPasteIt(string $typed, string $meant): void
    {
        self::assertSame($meant, Input::address($typed));
    }

    /** @return list<array{string, string}> */
    public static function addresses(): array
    {
        return [
            ['', ''],
            [' https://pay.example.com/ ', 'https://pay.example.com'],
            ['pay.example.com', 'https://pay.example.com'],
            ['https://pay.example.com/dashboard/00000001/test/keys?page=2#new', 'https://pay.example.com'],
            ['https://pay.example.com/api', 'https://pay.example.com'],
            ['http://localhost:3000/docs/', 'http://localhost:3000'],
            ['http://[::1]:3000', 'http://[::1]:3000'],
            ['https://example.com/florin/dashboard', 'https://example.com/florin'],
        ];
    }

    public function testWhatIsNoAddressIsRefused(): void
    {
        foreach (['ftp://pay.example.com', 'owner@example.com', 'https://owner:pass@example.com', 'https://', 'my shop', self::KEY] as $typed) {
            try {
                Input::address($typed);
                self::fail($typed);
            } catch (InvalidArgumentException $error) {
                self::assertStringContainsString('is not an address', $error->getMessage());
                self::assertStringNotContainsString(self::KEY, $error->getMessage());
            }
        }
    }

    public function testAKeyInTheWrongFieldIsRefusedWithTheReason(): void
    {
        self::assertSame(self::KEY, Input::key(' ' . self::KEY . "\n", 'test'));
        self::assertSame('', Input::key('', 'live'));
        foreach ([
            [self::KEY, 'live', 'Live key: this key is for test mode.'],
            [substr(self::KEY, 0, -1), 'test', 'Test key: this key is not complete.'],
            ['whsec_abc', 'test', 'this is a webhook secret'],
            ['fk_test_abc', 'test', 'starts with sk_test_…'],
        ] as [$typed, $mode, $reason]) {
            try {
                Input::key($typed, $mode);
                self::fail($typed);
            } catch (InvalidArgumentException $error) {
                self::assertStringContainsString($reason, $error->getMessage());
                self::assertStringNotContainsString($typed, $error->getMessage());
            }
        }
    }

    public function testAWebhookSecretIsComplete(): void
    {
        $secret = 'whsec_' . base64_encode(str_repeat('a', 32));
        self::assertSame($secret, Input::webhookSecret("$secret "));
        $this->expectException(InvalidArgumentException::class);
        Input::webhookSecret(substr($secret, 0, -4));
    }

    public function testNoKeyOrSecretGetsIntoALog(): void
    {
        $text = Input::withoutSecrets('Bearer ' . self::KEY . ' and whsec_ab+c/d== of order 7');
        self::assertSame('Bearer sk_test_… and whsec_… of order 7', $text);
    }
}
