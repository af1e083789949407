// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Guestbook} from "./Guestbook.sol";

/// @title The second edition of the guestbook
/// @notice The same pages, and guests who come back are thanked.
contract GuestbookSecondEdition is Guestbook {
    event ThankYou(address indexed guest, uint256 visits);

    /// @notice Leaves a line on a new page.
    function sign(string calldata line) public override returns (uint256 page) {
        page = super.sign(line);
        if (visits[msg.sender] > 1) emit ThankYou(msg.sender, visits[msg.sender]);
    }

    /// @notice Which edition of the book this is.
    function edition() external pure override returns (uint256) {
        return 2;
    }
}
